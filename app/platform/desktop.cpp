#include "app/platform/desktop.h"

#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {
namespace {

/// The GLFW cursor for one of ImGui; the arrow where GLFW 3.3 has none.
int shape_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return GLFW_IBEAM_CURSOR;
    case ImGuiMouseCursor_ResizeNS:
      return GLFW_VRESIZE_CURSOR;
    case ImGuiMouseCursor_ResizeEW:
      return GLFW_HRESIZE_CURSOR;
    case ImGuiMouseCursor_Hand:
      return GLFW_HAND_CURSOR;
    default:
      return GLFW_ARROW_CURSOR;
  }
}

}  // namespace

Desktop::Desktop(GLFWwindow* window) : window_(window) {
  view::compat::set_clipboard(
      [](void* user) { return glfwGetClipboardString(static_cast<GLFWwindow*>(user)); },
      [](void* user, const char* text) {
        glfwSetClipboardString(static_cast<GLFWwindow*>(user), text);
      },
      window);
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
}

Desktop::~Desktop() {
  for (GLFWcursor* cursor : cursors_)
    if (cursor) glfwDestroyCursor(cursor);
}

void Desktop::update_cursor() {
  const ImGuiMouseCursor wished = ImGui::GetMouseCursor();
  if (wished == shown_) return;
  shown_ = wished;
  if (wished == ImGuiMouseCursor_None) {
    glfwSetInputMode(window_, GLFW_CURSOR, GLFW_CURSOR_HIDDEN);
    return;
  }
  GLFWcursor*& cursor = cursors_.at(wished);
  if (!cursor) cursor = glfwCreateStandardCursor(shape_of(wished));
  glfwSetInputMode(window_, GLFW_CURSOR, GLFW_CURSOR_NORMAL);
  glfwSetCursor(window_, cursor);
}

}  // namespace lab::platform
