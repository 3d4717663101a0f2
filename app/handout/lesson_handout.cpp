#include "app/handout/lesson_handout.h"

#include <filesystem>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/reading/lesson_reader.h"

namespace lab::handout {
namespace {

namespace fs = std::filesystem;

// Where the lesson and the files of its folder lie in the page.
std::string place_in_page(const fs::path& name) {
  return std::string(kGivenFolder) + "/" + name.generic_string();
}

bool stays_inside(const fs::path& name) {
  return name.is_relative() && *name.lexically_normal().begin() != "..";
}

// The file of the lesson's folder, if `name` means one, else the built-in model.
Expected<void> add_source(Handout& given, const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  std::error_code none;
  if (fs::is_regular_file(path, none)) {
    if (!stays_inside(name))
      return fail(ErrorType::kBadInput,
                  in_quotes(name) +
                      " is outside of the lesson's folder; a page brings along only what is in it");
    auto bytes = files::read_bytes(path.string(), kMostGiven);
    if (!bytes) return tl::make_unexpected(bytes.error());
    given.files[place_in_page(fs::path(name).lexically_normal())] = std::move(*bytes);
    return {};
  }
  if (!lessons::is_built_in_model(name)) return {};
  return add_model(given, name).map([](const std::string&) {});
}

Error at_line(const lessons::OpenedLesson& lesson, int line, const Error& error) {
  return {error.type, lessons::problem_text(lesson.path, {line, error.message})};
}

}  // namespace

Expected<std::string> add_lesson(Handout& given, const lessons::OpenedLesson& lesson) {
  if (!lesson.reading.problems.empty())
    return fail(ErrorType::kBadInput,
                lessons::problem_text(lesson.path, lesson.reading.problems.front()));
  for (const lessons::Step& step : lesson.reading.lesson.steps)
    for (const lessons::Directive& one : step.directives) {
      const auto* open = std::get_if<lessons::directive::Open>(&one.action);
      if (open == nullptr) continue;
      const auto added = add_source(given, lesson.folder, open->source.name);
      if (!added) return tl::make_unexpected(at_line(lesson, one.line, added.error()));
    }
  auto text = files::read_bytes(lesson.path, lessons::kLargestLesson);
  if (!text) return text;
  const std::string name = lesson.path == "-" ? "lesson.md" : files::file_name_of(lesson.path);
  const std::string place = place_in_page(name);
  given.files[place] = std::move(*text);
  return place;
}

Expected<Handout> lesson_handout(const lessons::OpenedLesson& lesson) {
  Handout given;
  const auto place = add_lesson(given, lesson);
  if (!place) return tl::make_unexpected(place.error());
  given.lesson = *place;
  given.language = lesson.reading.lesson.language;
  return given;
}

}  // namespace lab::handout
