#pragma once

#include <stop_token>
#include <string>

#include "app/view/toolkit/desktop_services.h"

// The file dialog of the desktop portal: org.freedesktop.portal.FileChooser over D-Bus.

namespace lab::platform {

/// The address of the session bus; empty when there is none. Neither starts a bus nor waits for
/// one.
std::string session_bus_address();

/// Shows the dialog of the portal on the bus at `bus_address` and waits until it is answered or
/// `stop` is requested, which closes it. `x11_window` is its parent window, 0 for none.
view::FileAnswer ask_portal(const std::string& bus_address, const view::FileQuestion& question,
                            unsigned long x11_window, const std::stop_token& stop);

}  // namespace lab::platform
