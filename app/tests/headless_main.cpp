// The command line without a window, as a program.

#include "app/cli/cli.h"

int main(int argc, char** argv) {
  lab::cli::DisplayVerbs display;
  display.window = [](const lab::cli::WindowRequest&) {
    return lab::fail(lab::ErrorType::kNoDisplay, "this program has no window");
  };
  display.screenshot = [](const lab::cli::ScreenshotRequest&) {
    return lab::fail(lab::ErrorType::kNoDisplay, "this program has no window");
  };
  return lab::cli::run_command_line(argc, argv, display);
}
