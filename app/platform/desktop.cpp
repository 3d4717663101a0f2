#include "app/platform/desktop.h"

#include <utility>

#include "app/platform/file_dialogs.h"
#include "app/platform/picture_clipboard.h"
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

/// A function of GLFW; null in a GLFW built only for Wayland.
// NOLINTNEXTLINE(readability-identifier-naming): the name is GLFW's
extern "C" [[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow* window);

/// The X11 window of `window`; 0 when it is not an X11 one.
unsigned long x11_window(GLFWwindow* window) {
  return glfwGetX11Window == nullptr ? 0 : glfwGetX11Window(window);
}

class NativeDesktop final : public view::DesktopServices {
 public:
  explicit NativeDesktop(GLFWwindow* window)
      : x11_window_(x11_window(window)),
        dialogs_(native_file_dialogs(x11_window_), glfwPostEmptyEvent) {}

  bool has_file_dialog() const override { return dialogs_.available(); }
  bool ask_file(const view::FileQuestion& question) override { return dialogs_.ask(question); }
  std::optional<view::FileAnswer> take_file_answer() override { return dialogs_.take_answer(); }
  void withdraw_file_question() override { dialogs_.withdraw(); }

  Expected<void> copy_picture(const std::string& png) override {
    if (x11_window_ == 0)
      return fail(ErrorType::kFailed,
                  "pictures can be copied only under X11; export this one to a file");
    if (!clipboard_) {
      auto opened = PictureClipboard::open();
      if (!opened) return tl::make_unexpected(opened.error());
      clipboard_ = std::move(*opened);
    }
    return clipboard_->copy(png);
  }

 private:
  unsigned long x11_window_;
  FileDialogs dialogs_;
  std::unique_ptr<PictureClipboard> clipboard_;  // from the first picture on
};

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

std::unique_ptr<view::DesktopServices> native_desktop(GLFWwindow* window) {
  return std::make_unique<NativeDesktop>(window);
}

}  // namespace lab::platform
