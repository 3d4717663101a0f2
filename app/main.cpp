#include "app/shell/display_verbs.h"
#include "app/shell/settings.h"
#include "core/numerics/freed_memory.h"

int main(int argc, char** argv) {
  attention::keep_freed_memory();
  return lab::cli::run_command_line(argc, argv,
                                    {lab::shell::run_window, lab::shell::take_screenshot,
                                     lab::shell::widget_names, lab::shell::kept_by_window});
}
