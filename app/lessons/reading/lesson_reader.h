#pragma once

#include <string_view>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// Largest lesson that is read, in bytes.
inline constexpr std::size_t kLargestLesson = std::size_t{1} << 20;

/// Reads a lesson: Markdown with front matter, a step for each heading of the first or second
/// level, and blocks of code marked "lab" (directives) and "question". assets/lessons/README.md
/// describes the format. Everything that is wrong is told, each with its line. Whether the
/// questions can be answered is for check_lesson() to say.
LessonReading read_lesson(std::string_view text);

/// True when the text begins as a lesson does: with front matter that has a goal.
bool looks_like_lesson(std::string_view text);

}  // namespace lab::lessons
