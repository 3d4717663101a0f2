#pragma once

#include <GLFW/glfw3.h>

#include <cstdint>
#include <vector>

namespace lab::platform {

/// The icon of the program, `size` × `size` pixels of red, green, blue and opacity from the top
/// left: the weights of causal attention, as in assets/desktop/attention-lab.svg.
std::vector<std::uint8_t> icon_pixels(int size);

/// Gives the window its icon, where the window system takes one from the program; elsewhere the
/// desktop entry has it.
void set_window_icon(GLFWwindow* window);

}  // namespace lab::platform
