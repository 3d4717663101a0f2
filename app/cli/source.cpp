#include "app/cli/source.h"
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <vector>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/files/examples_index.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_shelf.h"

namespace lab::cli {

namespace {

constexpr std::size_t kMostSlips = 2;

// Letters to insert, delete or replace to turn `a` into `b` (Levenshtein, one row at a time).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// Long words are no slip of anything here, and comparing them would take long.
bool is_slip_of(std::string_view typed, std::string_view name) {
  return typed.size() <= name.size() + kMostSlips && edit_distance(typed, name) <= kMostSlips;
}

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

Expected<void> check_source(const std::string& source) {
  if (source.empty() || source == "-" || exists(source)) return {};
  const std::vector<files::ExampleInfo> all = files::examples();
  const auto names_it = [&](const files::ExampleInfo& e) {
    return files::same_title(e.name, source) || files::same_title(e.title, source);
  };
  if (std::ranges::any_of(all, names_it) || lessons::is_lesson(source)) return {};

  const std::string message =
      in_quotes(source) + " is no verb, no built-in example or lesson and no file that exists";
  for (const Verb& verb : verbs()) {
    if (!is_slip_of(source, verb.name)) continue;
    return fail(ErrorKind::kUsage, message + "; did you mean " + in_quotes(verb.name) + "?");
  }
  for (const files::ExampleInfo& example : all) {
    if (!is_slip_of(source, example.name)) continue;
    return fail(ErrorKind::kIo, message + "; did you mean " + in_quotes(example.name) + "?");
  }
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons()) {
    if (!is_slip_of(source, lesson.name)) continue;
    return fail(ErrorKind::kIo, message + "; did you mean " + in_quotes(lesson.name) + "?");
  }
  return fail(ErrorKind::kIo, message + " (attention-lab --help lists the verbs)");
}

}  // namespace lab::cli
