#include "app/handout/lesson_handout.h"

#include <filesystem>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/reading/lesson_reader.h"

namespace lab::handout {
namespace {

namespace fs = std::filesystem;

bool stays_inside(const fs::path& name) {
  return name.is_relative() && *name.lexically_normal().begin() != "..";
}

// The file of the lesson's folder, if `name` means one, else the built-in model.
Expected<void> add_source(Handout& given, const std::string& folder, const std::string& name,
                          const std::string& place) {
  const fs::path path = fs::path(folder) / name;
  std::error_code none;
  if (fs::is_regular_file(path, none)) {
    if (!stays_inside(name))
      return fail(ErrorType::kBadInput,
                  in_quotes(name) +
                      " is outside of the lesson's folder; a page brings along only what is in it");
    auto bytes = files::read_bytes(path.string(), kMostGiven);
    if (!bytes) return tl::make_unexpected(bytes.error());
    given.files[place + "/" + fs::path(name).lexically_normal().generic_string()] =
        std::move(*bytes);
    return {};
  }
  if (!lessons::is_built_in_model(name)) return {};
  return add_model(given, name).map([](const std::string&) {});
}

Error at_line(const lessons::OpenedLesson& lesson, int line, const Error& error) {
  return {error.type, lessons::problem_text(lesson.path, {line, error.message})};
}

// Adds what the lesson opens to the folder `place`, and its text as `name` there.
Expected<void> add_all(Handout& given, const lessons::OpenedLesson& lesson,
                       const std::string& place, const std::string& name) {
  if (!lesson.reading.problems.empty())
    return fail(ErrorType::kBadInput,
                lessons::problem_text(lesson.path, lesson.reading.problems.front()));
  for (const lessons::Step& step : lesson.reading.lesson.steps)
    for (const lessons::Directive& one : step.directives) {
      const auto* open = std::get_if<lessons::directive::Open>(&one.action);
      if (open == nullptr) continue;
      const auto added = add_source(given, lesson.folder, open->source.name, place);
      if (!added) return tl::make_unexpected(at_line(lesson, one.line, added.error()));
    }
  auto text = files::read_text_file(lesson.path, lessons::kLargestLesson);
  if (!text) return tl::make_unexpected(text.error());
  given.files[place + "/" + name] = std::move(*text);
  return {};
}

}  // namespace

Expected<void> add_lesson(Handout& given, const lessons::OpenedLesson& lesson) {
  if (lessons::built_in_lesson_at(lesson.path)) return {};  // every page has it
  Handout own;
  // The list has what begins with a number.
  const std::size_t number = lessons::built_in_lessons().size() + 1 + given.files.size();
  const std::string name = std::to_string(number) + "-" + files::file_name_of(lesson.path);
  if (auto added = add_all(own, lesson, std::string(kLessonsFolder), name); !added) return added;
  const fs::path built_in = fs::path(files::assets_folder()) / "lessons";
  for (auto& [path, bytes] : own.files) {
    std::error_code none;
    const fs::path inside = fs::path(path).lexically_relative(kLessonsFolder);
    if (fs::exists(built_in / inside, none))
      return fail(ErrorType::kBadInput, "the lesson " + in_quotes(lesson.path) + " opens " +
                                            in_quotes(inside.string()) +
                                            ", which a built-in lesson has too; rename it");
    given.files[path] = std::move(bytes);
  }
  given.built_in_models.merge(own.built_in_models);
  return {};
}

Expected<Handout> lesson_handout(const lessons::OpenedLesson& lesson) {
  Handout given;
  const std::string place(kGivenFolder), name = files::file_name_of(lesson.path);
  if (auto added = add_all(given, lesson, place, name); !added)
    return tl::make_unexpected(added.error());
  given.lesson = place + "/" + name;
  given.language = lesson.reading.lesson.language;
  return given;
}

}  // namespace lab::handout
