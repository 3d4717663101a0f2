#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson_steps.h"

namespace lab::lessons {

/// Returns the names of the widgets that the window shows in a step; nothing if they are unknown.
using WidgetNames = std::function<std::optional<std::set<std::string>>(const StepStart&)>;

/// Plays a lesson to the end twice, once answering every question correctly and once skipping all
/// questions, and returns every problem: steps that cannot begin, missing widgets, invalid live
/// numbers, and questions that reject their answer, accept a wrong one or are already solved
/// when they are asked. A directive that fails does not hide later problems. `folder` is passed to
/// start_step(). Widgets are not checked if `widgets` is empty.
std::vector<LessonProblem> check_lesson(const Lesson& lesson, const std::string& folder,
                                        const WidgetNames& widgets);

/// The mistakes found when the lesson was read, and those that check_lesson() finds in the sections
/// that could be read: questions without a mistake, and steps whose model is certain.
std::vector<LessonProblem> check_reading(const LessonReading& reading, const std::string& folder,
                                         const WidgetNames& widgets);

/// What the directives of the steps detached (see detached_text()), with their lines, when no
/// question is answered; up to the first step that cannot begin.
std::vector<LessonProblem> lesson_notes(const Lesson& lesson, const std::string& folder);

}  // namespace lab::lessons
