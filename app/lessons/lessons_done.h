#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "app/lessons/reading/lesson_library.h"

namespace lab::lessons {

/// How many questions of built-in lessons were solved, by the name of the lesson.
using LessonsDone = std::map<std::string, std::size_t, std::less<>>;

/// The number of solved questions of the lesson.
inline std::size_t solved_of(const LessonsDone& progress, const LessonInfo& lesson) {
  const auto found = progress.find(lesson.name);
  return found == progress.end() ? 0 : std::min(found->second, lesson.questions);
}

/// Notes that `solved` questions of the lesson are solved, unless more were before.
inline void note_progress(LessonsDone& progress, const LessonInfo& lesson, std::size_t solved) {
  if (solved > solved_of(progress, lesson)) progress[lesson.name] = solved;
}

/// True once all its questions were solved.
inline bool is_done(const LessonsDone& progress, const LessonInfo& lesson) {
  return lesson.questions > 0 && solved_of(progress, lesson) == lesson.questions;
}

}  // namespace lab::lessons
