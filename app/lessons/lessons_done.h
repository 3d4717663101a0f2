#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "app/lessons/reading/lesson_library.h"

namespace lab::lessons {

/// How many questions of built-in lessons were solved, by the name of the lesson.
using LessonsDone = std::map<std::string, std::size_t, std::less<>>;

/// Notes that `solved` questions of the lesson are solved, unless more were before.
void note_progress(LessonsDone& progress, const LessonInfo& lesson, std::size_t solved);

/// The number of solved questions of the lesson.
std::size_t solved_of(const LessonsDone& progress, const LessonInfo& lesson);

/// True once all its questions were solved.
bool is_done(const LessonsDone& progress, const LessonInfo& lesson);

}  // namespace lab::lessons
