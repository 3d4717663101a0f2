#pragma once

#include "app/cli/cli.h"

namespace lab::shell {

/// Opens the window and returns when it is closed. Fails when there is no document, display or
/// OpenGL, or a requested file cannot be written.
Expected<void> run_window(const cli::WindowRequest& request);

/// Draws the window off screen and writes the image and, if requested, the bounds of its widgets.
Expected<void> take_screenshot(const cli::ScreenshotRequest& request);

}  // namespace lab::shell
