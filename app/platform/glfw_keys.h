#pragma once

#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {

/// Translates the `key` (a position on a US keyboard) and `scancode` reported by GLFW to what the
/// layout of the user prints on it: Ctrl+Z is on the key labelled Z on a German keyboard too, and
/// Ctrl++ on the one labelled +. kNone for keys that are not used.
view::Key key_from_glfw(int key, int scancode);

}  // namespace lab::platform
