#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/lessons/lesson.h"
#include "app/translation/words.h"

namespace lab::lessons {

/// A built-in lesson.
struct LessonInfo {
  int number = 0;     ///< its position in teaching order, from 1
  std::string name;   ///< name to type: "query-key-value"; the same in every language
  std::string title;  ///< title to show: "Query, key, value: the library"
  std::string goal;
  std::string level;
  int minutes = 0;
  std::size_t questions = 0;  ///< how many it asks
  std::string path;           ///< path of the file
};

/// The built-in lessons in teaching order, in that language or, where one is not translated, in
/// English. Read once; empty if the assets are not found. Files that are not lessons are skipped;
/// lessons with mistakes are included.
std::vector<LessonInfo> built_in_lessons(Language of = language());

/// The built-in lesson in the file `path`, in any language; nothing for other files.
std::optional<LessonInfo> built_in_lesson_at(const std::string& path);

/// A lesson that was read from a file.
struct OpenedLesson {
  LessonReading reading;
  std::string path;    ///< path of the file; "-" for standard input
  std::string folder;  ///< its folder, where the sessions that it opens are looked up
};

/// Opens a built-in lesson by name, in the language of the process, or by its title in any
/// language, or a file ("-" is standard input). Fails with kIo if
/// it does not exist or cannot be read.
Expected<OpenedLesson> open_lesson(const std::string& source);

/// True if `source` names a built-in lesson, a file that starts like a lesson, or a Markdown file
/// that is nothing else. Does not read from pipes.
bool is_lesson(const std::string& source);

/// A problem in the format of compiler messages: "lesson.md:12: the window has no widget …".
std::string problem_text(const std::string& path, const LessonProblem& problem);

}  // namespace lab::lessons
