#include "app/shell/display_verbs.h"
#include "app/shell/widget_names.h"

int main(int argc, char** argv) {
  return lab::run_command_line(argc, argv,
                               {lab::run_window, lab::take_screenshot, lab::widget_names});
}
