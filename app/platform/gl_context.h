#pragma once

#include <GLFW/glfw3.h>

#include "app/base/error.h"
#include "app/platform/window.h"

namespace lab::platform {

/// Initialises GLFW and opens one window with a current OpenGL 3.3 core context; the destructor
/// closes both.
class GlContext {
 public:
  /// Fails with kNoDisplay, kNoOpenGl, or kFailed when a window is already open, with a one-line
  /// message.
  static Expected<std::unique_ptr<GlContext>> create(const WindowOptions& options);
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  /// The window, owned by this.
  GLFWwindow* window() const { return window_; }

 private:
  GlContext() = default;
  bool initialised_ = false;
  GLFWwindow* window_ = nullptr;
};

}  // namespace lab::platform
