#pragma once

#include <stop_token>
#include <string>

#include "app/view/toolkit/desktop_services.h"

// The file dialog of the desktop portal: org.freedesktop.portal.FileChooser over D-Bus.

namespace lab::platform {

/// Address of the session's bus; empty when the session has none. Starts none and waits for none.
std::string session_bus_address();

/// Asks the portal on the bus at `bus_address`, and waits until the dialog is answered or `stop`
/// asks for its end, which closes it. `x11_window` is the window it belongs to, 0 for none.
view::FileAnswer ask_portal(const std::string& bus_address, const view::FileQuestion& question,
                            unsigned long x11_window, const std::stop_token& stop);

}  // namespace lab::platform
