#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/cli/verb.h"
#include "app/files/examples_index.h"
#include "app/files/model/model_folder.h"
#include "app/files/open.h"
#include "app/files/opened_model.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::cli {

namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

std::vector<std::string> names_of(const auto& known) {
  std::vector<std::string> names;
  names.reserve(std::size(known));
  for (const auto& one : known) names.emplace_back(one.name);
  return names;
}

}  // namespace

Expected<void> check_source(const std::string& source) {
  if (source.empty() || source == "-" || exists(source)) return {};
  const std::vector<files::ExampleInfo> all = files::examples();
  const auto names_it = [&](const files::ExampleInfo& e) {
    return files::same_title(e.name, source) || files::same_title(e.title, source);
  };
  if (std::ranges::any_of(all, names_it) || lessons::is_lesson(source)) return {};
  if (files::is_model_source(source)) return {};
  if (files::missing_model(source) != nullptr)
    return files::model_folder(source).map([](const std::string&) {});  // says how to get it
  const std::string message =
      in_quotes(source) + " is not a verb, a built-in example, a lesson or an existing file";
  const auto suggested = [&](ErrorType type, const auto& known) -> Expected<void> {
    const std::string name = suggested_name(source, names_of(known));
    if (name.empty()) return {};
    return fail(type, message + "; did you mean " + in_quotes(name) + "?");
  };
  if (auto verb = suggested(ErrorType::kUsage, verbs()); !verb) return verb;
  if (auto example = suggested(ErrorType::kIo, all); !example) return example;
  if (auto lesson = suggested(ErrorType::kIo, lessons::built_in_lessons()); !lesson) return lesson;
  return fail(ErrorType::kIo, message + " (attention-lab --help lists the verbs)");
}

}  // namespace lab::cli
