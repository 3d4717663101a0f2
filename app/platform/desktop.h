#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>

namespace lab::platform {

/// What ImGui needs of the desktop besides input: pointer shapes and the clipboard.
class Desktop {
 public:
  /// Gives the current ImGui context the clipboard. `window` must outlive this.
  explicit Desktop(GLFWwindow* window);
  ~Desktop();
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  /// Shows the pointer that ImGui wished for in the last frame.
  void update_cursor();

 private:
  GLFWwindow* window_;
  ImGuiMouseCursor shown_ = ImGuiMouseCursor_Arrow;
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors_{};  // made on first use
};

}  // namespace lab::platform
