#pragma once

#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/reading/lesson_lines.h"

namespace lab::lessons {

/// Reads a block marked "question KIND": the question, then its members, each on a line of its own
/// ("answer: …"), going on in lines that are set in. What cannot be read, and what is missing, is
/// added to `problems`.
Question read_question(const LessonSection& fence, std::vector<LessonProblem>& problems);

}  // namespace lab::lessons
