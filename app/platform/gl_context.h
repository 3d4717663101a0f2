#pragma once

#include <GLFW/glfw3.h>

#include "app/base/error.h"
#include "app/platform/window.h"

namespace lab::platform {

/// GLFW and one window with a current OpenGL 3.3 core context; both end with this.
class GlContext {
 public:
  /// Fails with kNoDisplay, kNoOpenGl, or kFailed when a window is open already, and one line for
  /// a person to read.
  static Expected<std::unique_ptr<GlContext>> create(const WindowOptions& options);
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  GLFWwindow* window() const { return window_; }

 private:
  GlContext() = default;
  bool initialised_ = false;
  GLFWwindow* window_ = nullptr;
};

}  // namespace lab::platform
