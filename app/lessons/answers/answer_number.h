#pragma once

#include <string>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// The correct number as a student may write it: with as many decimals as the question's tolerance
/// distinguishes, at least four.
std::string answer_number(const Question& question, double value);

}  // namespace lab::lessons
