#pragma once

#include <set>
#include <string>

#include "app/lessons/lesson_steps.h"

namespace lab::shell {

/// The names of the widgets in a window at that step, in a window high enough for all of them.
/// Needs no display.
std::set<std::string> widget_names(const lessons::StepStart& start);

}  // namespace lab::shell
