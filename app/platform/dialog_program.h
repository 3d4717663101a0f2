#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/toolkit/desktop_services.h"

// File dialogs that are programs of their own.

namespace lab::platform {

/// Where the program `name` is on PATH; empty when it is not there.
std::string find_program(std::string_view name);

/// How zenity is asked: the program at `zenity` and its arguments.
std::vector<std::string> zenity_command(const std::string& zenity,
                                        const view::FileQuestion& question);
/// The same for kdialog, which is told the X11 window that it belongs to (0: none).
std::vector<std::string> kdialog_command(const std::string& kdialog,
                                         const view::FileQuestion& question,
                                         unsigned long x11_window);

/// Runs such a command until it ends, or until `stop` asks for its end. The path is what it prints;
/// its exit code tells a choice from none, and from a program that does not work.
view::FileAnswer ask_program(const std::vector<std::string>& command, unsigned long x11_window,
                             const std::stop_token& stop);

}  // namespace lab::platform
