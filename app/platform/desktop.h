#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <memory>

#include "app/view/toolkit/desktop_services.h"

namespace lab::platform {

/// What ImGui needs from the desktop besides input: mouse cursors and the clipboard.
class Desktop {
 public:
  /// Connects the current ImGui context to the clipboard. `window` must outlive this.
  explicit Desktop(GLFWwindow* window);
  ~Desktop();
  /// Can be neither copied nor moved: it owns the cursors.
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  /// Shows the cursor that ImGui requested in the last frame.
  void update_cursor();

 private:
  GLFWwindow* window_;
  ImGuiMouseCursor shown_ = ImGuiMouseCursor_Arrow;
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors_{};  // made on first use
};

/// The file dialogs and the clipboard of the desktop that shows `window`, which must outlive them.
std::unique_ptr<view::DesktopServices> native_desktop(GLFWwindow* window);

}  // namespace lab::platform
