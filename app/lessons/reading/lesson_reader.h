#pragma once

#include <string_view>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// Size limit of a lesson file, in bytes.
inline constexpr std::size_t kLargestLesson = std::size_t{1} << 20;

/// Reads a lesson: Markdown with front matter, one step per heading of the first or second level,
/// and code blocks marked "lab" (directives), "question", "screen" and "paper" (text for one of
/// both). assets/lessons/README.md describes the
/// format. Reports every mistake with its line. Does not check whether the questions can be
/// answered; check_lesson() does.
LessonReading read_lesson(std::string_view text);

/// True if the text starts like a lesson, with front matter that has a goal.
bool looks_like_lesson(std::string_view text);

}  // namespace lab::lessons
