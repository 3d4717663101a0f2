#pragma once

#include "app/cli/cli.h"

namespace lab::shell {

/// Opens the window and returns when it is closed. Fails when the document, the display or OpenGL
/// is missing, or a file that was asked for cannot be written.
Expected<void> run_window(const cli::WindowRequest& request);

/// Draws the window off screen and writes the picture, and where its widgets are.
Expected<void> take_screenshot(const cli::ScreenshotRequest& request);

}  // namespace lab::shell
