#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson_steps.h"

namespace lab::lessons {

/// The names of the widgets that the window shows in a step; nothing when they cannot be known.
using WidgetNames = std::function<std::optional<std::set<std::string>>(const StepStart&)>;

/// Plays a lesson to its end as a student would who answers everything rightly, and as one who only
/// goes on, and tells everything that would go wrong: steps that cannot begin, widgets that are not
/// there, numbers in the text that do not exist, questions whose own answer does not pass, whose
/// wrong answers do, or which are answered before they are asked. `folder` as start_step() takes
/// it; `widgets` may be empty: they are not looked for then.
std::vector<LessonProblem> check_lesson(const Lesson& lesson, const std::string& folder,
                                        const WidgetNames& widgets);

}  // namespace lab::lessons
