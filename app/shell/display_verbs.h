#pragma once

#include <set>
#include <string>

#include "app/cli/cli.h"
#include "app/lessons/lesson_steps.h"

namespace lab::shell {

/// Opens the window and returns when it is closed. Fails when there is no document, display or
/// OpenGL, or a requested file cannot be written.
Expected<void> run_window(const cli::WindowRequest& request);

/// Draws the window off screen and writes the image and, if requested, the bounds of its widgets.
Expected<void> take_screenshot(const cli::ScreenshotRequest& request);

/// The names of the widgets in a window at that step, in a window high enough for all of them.
/// Needs no display.
std::set<std::string> widget_names(const lessons::StepStart& start);

}  // namespace lab::shell
