#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::cli {

namespace {

// "done", "3 of 8", or nothing for a lesson in which nothing was answered.
std::string progress_text(const lessons::LessonsDone& progress, const lessons::LessonInfo& lesson) {
  const std::size_t answered = solved_of(progress, lesson);
  if (answered == 0) return {};
  if (is_done(progress, lesson)) return "done";
  return std::to_string(answered) + " of " + std::to_string(lesson.questions);
}

struct LessonsOptions {
  std::string language = "en";
  bool json = false;
};

Expected<void> list_lessons(const LessonsOptions& options, const VerbRun& run) {
  const auto language = parse_language(options.language);
  if (!language) return tl::make_unexpected(language.error());
  const lessons::LessonsDone progress = run.kept().lessons_done;
  TextTable table({Side::kRight, Side::kLeft, Side::kRight, Side::kLeft, Side::kLeft});
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons(*language)) {
    table.add({std::to_string(lesson.number), lesson.name, std::to_string(lesson.minutes) + " min",
               lesson.level, lesson.title, progress_text(progress, lesson)});
    list.push_back({{"number", lesson.number},
                    {"name", lesson.name},
                    {"minutes", lesson.minutes},
                    {"level", lesson.level},
                    {"title", lesson.title},
                    {"questions", lesson.questions},
                    {"answered", solved_of(progress, lesson)}});
  }
  if (list.empty()) {
    return fail(ErrorType::kFailed,
                "cannot find the built-in lessons; set ATTENTION_LAB_ASSETS to the folder that "
                "contains lessons/");
  }
  return files::write_bytes("-", options.json ? list.dump() + "\n" : table.text());
}

}  // namespace

Action declare_lessons(CLI::App& app) {
  const auto options = std::make_shared<LessonsOptions>();
  set_help(app,
           "Lists the built-in lessons: number, name, duration, level, title, and how many of its\n"
           "questions you have answered in the window.",
           "lessons [--language L] [--json]",
           "To open one in the window: attention-lab query-key-value");
  app.add_option("--language", options->language, "language of the lessons, en or de (en)")
      ->type_name("LANGUAGE");
  app.add_flag("--json", options->json, "write JSON");
  return [options](VerbRun& run) { return list_lessons(*options, run); };
}

}  // namespace lab::cli
