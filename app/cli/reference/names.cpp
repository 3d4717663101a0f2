#include "app/cli/reference/reference.h"

#include <array>

#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/files/model/model_list.h"
#include "app/files/open.h"
#include "app/files/tokenizer_file.h"
#include "app/lessons/reading/lesson_library.h"
#include "core/layer/stage_info.h"
#include "core/training/options.h"

namespace lab::cli {
namespace {

using Names = std::vector<Name>;

Names operator+(Names first, const Names& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Names example_names() {
  Names names;
  for (const files::ExampleInfo& example : files::examples())
    names.push_back({example.name, example.title});
  return names;
}

Names lesson_names() {
  Names names;
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons())
    names.push_back({lesson.name, lesson.title});
  return names;
}

Names model_names() {
  Names names;
  for (const files::ModelInfo& model : files::list_models())
    if (model.problem.empty())
      names.push_back({model.name, model.built_in ? "built-in model" : "model"});
  return names;
}

Names tokenizer_names() {
  Names names;
  for (const std::string& name : files::built_in_tokenizers())
    names.push_back({name, "built-in tokenizer"});
  return names + model_names();
}

Names stage_names() {
  Names names;
  for (const attention::Stage stage : attention::kAllStages)
    names.push_back({std::string(attention::stage_name(stage)), {}});
  names.push_back({"all", "every stage"});
  return names;
}

Names palette_names() {
  Names names;
  for (const figure::Palette palette : figure::all_palettes())
    names.push_back({std::string(figure::palette_name(palette)), {}});
  return names;
}

Names task_list() {
  Names names;
  for (const attention::training::TaskType type : attention::training::kAllTasks)
    names.push_back({std::string(task_name(type)), {}});
  return names;
}

Names preset_names(const KeptByWindow& kept) {
  Names names;
  for (const FigurePreset& preset : kept.presets) names.push_back({preset.name, "preset"});
  return names;
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
  if (what == "themes") return Names{{"light", {}}, {"dark", {}}, {"high-contrast", {}}};
  if (what == "languages") return Names{{"en", "English"}, {"de", "Deutsch"}};
  return std::nullopt;
}

}  // namespace lab::cli
