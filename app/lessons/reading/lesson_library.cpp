#include "app/lessons/reading/lesson_library.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/examples_index.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_reader.h"

namespace lab::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBeginning = 4096;  // bytes read to recognise a lesson

std::string folder_of(Language of) {
  const fs::path english = fs::path(files::assets_folder()) / "lessons";
  return (of == Language::kEnglish ? english : english / language_name(of)).string();
}

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  std::error_code error;
  fs::directory_iterator at(folder_of(Language::kEnglish), error), end;
  for (; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool numbered = !name.empty() && is_digit(name.front());
    if (numbered && at->path().extension() == ".md") files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

// The name of "04-softmax.md" is "softmax".
std::string name_of(const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  const std::size_t start = stem.find_first_not_of("0123456789-");
  return start == stem.npos ? stem : stem.substr(start);
}

std::size_t question_count(const Lesson& lesson) {
  std::size_t count = 0;
  for (const Step& step : lesson.steps) count += questions_of(step).size();
  return count;
}

std::optional<LessonInfo> read_info(const std::string& path) {
  const auto text = files::read_text_file(path, kLargestLesson);
  if (!text || !looks_like_lesson(*text)) return std::nullopt;
  const Lesson lesson = read_lesson(*text).lesson;
  return LessonInfo{0,
                    name_of(path),
                    lesson.title,
                    lesson.goal,
                    lesson.level,
                    lesson.minutes,
                    question_count(lesson),
                    path};
}

using Shelf = std::vector<LessonInfo>;

Shelf read_shelf(Language of) {
  Shelf known;
  for (const std::string& english : lesson_files()) {
    auto info = read_info((fs::path(folder_of(of)) / fs::path(english).filename()).string());
    if (!info) info = read_info(english);
    if (!info) continue;
    info->number = static_cast<int>(known.size()) + 1;
    known.push_back(*info);
  }
  return known;
}

const Shelf& shelf(Language of) {
  static const std::array<Shelf, kLanguages.size()> known = [] {
    std::array<Shelf, kLanguages.size()> all;
    std::ranges::transform(kLanguages, all.begin(), read_shelf);
    return all;
  }();
  return known[static_cast<std::size_t>(of)];
}

// The path of the lesson with this name or title; empty if there is none.
std::string built_in_path(const std::string& source) {
  const auto named = [&source](const LessonInfo& info) {
    return files::same_title(info.name, source) || files::same_title(info.title, source);
  };
  const Shelf& current = shelf(language());
  if (const auto at = std::ranges::find_if(current, named); at != current.end()) return at->path;
  for (const Language other : kLanguages)
    for (const LessonInfo& info : shelf(other))
      if (named(info)) return info.path;
  return {};
}

}  // namespace

std::vector<LessonInfo> built_in_lessons(Language of) { return shelf(of); }

std::optional<LessonInfo> built_in_lesson_at(const std::string& path) {
  for (const Language one : kLanguages) {
    const auto at = std::ranges::find(shelf(one), path, &LessonInfo::path);
    if (at != shelf(one).end()) return *at;
  }
  return std::nullopt;
}

bool is_lesson(const std::string& source) {
  if (!built_in_path(source).empty()) return true;
  const auto start = files::read_beginning(source, kBeginning);
  if (!start) return false;
  // Assume that any other Markdown file is meant to be a lesson, so that its mistakes are reported.
  const files::FileType type = files::file_type(*start);
  const bool nothing_else = type == files::FileType::kUnknown || type == files::FileType::kEmpty;
  return looks_like_lesson(*start) || (nothing_else && fs::path(source).extension() == ".md");
}

Expected<OpenedLesson> open_lesson(const std::string& source) {
  const std::string built_in = built_in_path(source);
  const std::string path = built_in.empty() ? source : built_in;
  if (path != "-" && files::is_missing(path))
    return fail(ErrorType::kIo, "there is no file or lesson " + in_quotes(source) +
                                    "; \"attention-lab lessons\" lists the lessons");
  return files::read_text_file(path, kLargestLesson).map([&](const std::string& text) {
    return OpenedLesson{read_lesson(text), path, fs::path(path).parent_path().string()};
  });
}

std::string problem_text(const std::string& path, const LessonProblem& problem) {
  const std::string name = path == "-" ? "standard input" : path;
  return name + ":" + std::to_string(problem.line) + ": " + problem.message;
}

}  // namespace lab::lessons
