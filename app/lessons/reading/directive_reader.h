#pragma once

#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/reading/lesson_lines.h"

namespace lab::lessons {

/// Reads the lines of a block marked "lab", one directive per line, into `step`. Adds lines that
/// cannot be read to `problems`.
void read_directives(const LessonSection& fence, Step& step, std::vector<LessonProblem>& problems);

}  // namespace lab::lessons
