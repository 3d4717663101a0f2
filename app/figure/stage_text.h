#pragma once

#include <string>

#include "core/trace.h"

namespace lab {

/// The stage's name for people: "Scores", "Head output".
std::string stage_title(attention::Stage stage);

/// The stage's formula as Pango markup, with the biases and factors that the problem really has:
/// "X W<sup>Q</sup> + b<sup>Q</sup>". Precondition: the problem has at least one head.
std::string stage_formula(const attention::Problem& problem, attention::Stage stage);

/// "11×4".
std::string shape_text(attention::Shape shape);

}  // namespace lab
