#pragma once

#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/reading/lesson_lines.h"

namespace lab::lessons {

/// Reads a block marked "question KIND": the question, then its members ("answer: …"), each on a
/// line of its own and continued by indented lines. Adds whatever is invalid or missing to
/// `problems`.
Question read_question(const LessonSection& fence, std::vector<LessonProblem>& problems);

}  // namespace lab::lessons
