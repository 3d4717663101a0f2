#include "app/platform/native_desktop.h"

#include <utility>

#include "app/platform/file_dialogs.h"
#include "app/platform/picture_clipboard.h"

/// A function of GLFW; null in a GLFW built only for Wayland.
// NOLINTNEXTLINE(readability-identifier-naming): the name is GLFW's
extern "C" [[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow* window);

namespace lab::platform {
namespace {

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
      return fail(ErrorKind::kFailed,
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

std::unique_ptr<view::DesktopServices> native_desktop(GLFWwindow* window) {
  return std::make_unique<NativeDesktop>(window);
}

}  // namespace lab::platform
