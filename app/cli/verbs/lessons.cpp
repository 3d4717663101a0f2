#include <CLI/CLI.hpp>

#include "app/cli/help.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::cli {

namespace {

Expected<void> list_lessons() {
  TextTable table({Side::kLeft, Side::kRight, Side::kLeft});
  for (const lessons::LessonInfo& lesson : lessons::built_in_lessons())
    table.add({lesson.name, std::to_string(lesson.minutes) + " min", lesson.title});
  const std::string text = table.text();
  if (text.empty()) {
    return fail(ErrorKind::kFailed,
                "cannot find the built-in lessons; set ATTENTION_LAB_ASSETS to the folder that "
                "contains lessons/");
  }
  return files::write_bytes("-", text);
}

}  // namespace

Action declare_lessons(CLI::App& app) {
  set_help(app, "Lists the built-in lessons by name, with duration and title.", "lessons",
           "To open one in the window: attention-lab query-key-value");
  return [](VerbRun&) { return list_lessons(); };
}

}  // namespace lab::cli
