#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/toolkit/desktop_services.h"

// File dialogs that are separate programs.

namespace lab::platform {

/// The path of the program `name` on PATH; empty when it is not found.
std::string find_program(std::string_view name);

/// The command for zenity: the program at `zenity` and its arguments.
std::vector<std::string> zenity_command(const std::string& zenity,
                                        const view::FileQuestion& question);
/// The same for kdialog, which also gets its parent X11 window (0: none).
std::vector<std::string> kdialog_command(const std::string& kdialog,
                                         const view::FileQuestion& question,
                                         unsigned long x11_window);

/// Runs such a command until it ends or `stop` is requested. It prints the chosen path; its exit
/// code distinguishes a choice, a cancelled dialog, and a program that does not work.
view::FileAnswer ask_program(const std::vector<std::string>& command, unsigned long x11_window,
                             const std::stop_token& stop);

}  // namespace lab::platform
