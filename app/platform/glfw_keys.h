#pragma once

#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {

/// The key that GLFW reports as `key` (a place on a US keyboard) and `scancode`, by what the user's
/// layout prints on it: Ctrl+Z is under the Z on a German keyboard too. kNone when the product has
/// no use for it.
view::Key key_from_glfw(int key, int scancode);

}  // namespace lab::platform
