#pragma once

#include <string>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// The right number as a student may give it: with as many decimals as the question's tolerance can
/// tell apart, four at least.
std::string answer_number(const Question& question, double value);

}  // namespace lab::lessons
