#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {

/// A built-in lesson.
struct LessonInfo {
  std::string name;   ///< as typed: "query-key-value"
  std::string title;  ///< for people: "Query, key, value: the library"
  std::string goal;
  std::string level;
  int minutes = 0;
  std::string path;  ///< of its file
};

/// The built-in lessons in teaching order, read once; empty when the assets are not found. A file
/// that is no lesson at all is left out; one with mistakes in it is listed.
std::vector<LessonInfo> built_in_lessons();

/// A lesson's file, read.
struct OpenedLesson {
  LessonReading reading;
  std::string path;    ///< of the file; "-" for standard input
  std::string folder;  ///< where it lies; sessions that it opens are looked for there
};

/// Opens a built-in lesson by name or title, or a file, "-" for standard input. Fails with kIo when
/// there is none and when it cannot be read.
Expected<OpenedLesson> open_lesson(const std::string& source);

/// True when `source` names a built-in lesson, a file that begins as a lesson does, or Markdown
/// that is nothing else. Pipes are not looked into.
bool is_lesson(const std::string& source);

/// A problem of the file at `path` as compilers tell theirs: "lesson.md:12: there is no widget …".
std::string problem_text(const std::string& path, const LessonProblem& problem);

}  // namespace lab::lessons
