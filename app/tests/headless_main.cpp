// The command line without a window, as a program.

#include "app/cli/cli.h"

int main(int argc, char** argv) {
  lab::DisplayVerbs display;
  display.window = [](const lab::WindowRequest&) {
    return lab::fail(lab::ErrorKind::kNoDisplay, "this program has no window");
  };
  display.screenshot = [](const lab::ScreenshotRequest&) {
    return lab::fail(lab::ErrorKind::kNoDisplay, "this program has no window");
  };
  return lab::run_command_line(argc, argv, display);
}
