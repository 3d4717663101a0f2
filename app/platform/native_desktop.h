#pragma once

#include <GLFW/glfw3.h>

#include <memory>

#include "app/view/toolkit/desktop_services.h"

namespace lab::platform {

/// The file dialogs and the clipboard of the desktop that shows `window`, which must outlive them.
std::unique_ptr<view::DesktopServices> native_desktop(GLFWwindow* window);

}  // namespace lab::platform
