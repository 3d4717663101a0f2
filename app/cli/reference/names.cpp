#include "app/cli/reference/reference.h"

#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/files/model/model_list.h"
#include "app/files/open.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/translation/words.h"
#include "core/layer/stage_info.h"
#include "core/training/options.h"

namespace lab::cli {
namespace {

using Names = std::vector<Name>;

Names operator+(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// What `name` makes of each element of `list`.
template <typename List, typename ToName>
Names names_of_each(const List& list, const ToName& name) {
  Names names;
  for (const auto& one : list) names.push_back(name(one));
  return names;
}

// An element of a table that is told by its name alone.
Name alone(std::string_view name) { return {std::string(name), {}}; }

Names example_names() {
  return names_of_each(files::examples(), [](const files::ExampleInfo& example) {
    return Name{example.name, example.title};
  });
}

Names lesson_names() {
  return names_of_each(lessons::built_in_lessons(), [](const lessons::LessonInfo& lesson) {
    return Name{lesson.name, lesson.title};
  });
}

Names model_names() {
  Names names;
  for (const files::ModelInfo& model : files::list_models())
    if (model.problem.empty())
      names.push_back({model.name, model.built_in ? "built-in model" : "model"});
  return names;
}

Names tokenizer_names() {
  const auto name = [](const std::string& tokenizer) {
    return Name{tokenizer, "built-in tokenizer"};
  };
  return names_of_each(files::built_in_tokenizers(), name) + model_names();
}

Names stage_names() {
  return names_of_each(attention::kAllStages,
                       [](attention::Stage stage) { return alone(stage_name(stage)); }) +
         Names{{"all", "every stage"}};
}

Names palette_names() {
  return names_of_each(figure::all_palettes(), [](figure::Palette palette) {
    return alone(figure::palette_name(palette));
  });
}

Names task_list() {
  return names_of_each(attention::training::kAllTasks,
                       [](attention::training::TaskType type) { return alone(task_name(type)); });
}

Names preset_names(const KeptByWindow& kept) {
  return names_of_each(kept.presets, [](const FigurePreset& preset) {
    return Name{preset.name, "preset"};
  });
}

Names language_names() {
  return names_of_each(kLanguages, [](Language language) {
    return Name{std::string(language_name(language)), std::string(native_name(language))};
  });
}

}  // namespace

std::optional<Names> names_of(std::string_view what, const KeptByWindow& kept) {
  if (what == "examples") return example_names();
  if (what == "lessons") return lesson_names() + example_names();
  if (what == "models") return model_names();
  if (what == "inputs") return example_names() + model_names();
  if (what == "openable") return example_names() + lesson_names() + model_names();
  if (what == "tokenizers") return tokenizer_names();
  if (what == "stages") return stage_names();
  if (what == "palettes") return palette_names();
  if (what == "tasks") return task_list();
  if (what == "presets") return preset_names(kept);
  if (what == "themes") return names_of_each(figure::kThemeNames, alone);
  if (what == "languages") return language_names();
  return std::nullopt;
}

}  // namespace lab::cli
