#pragma once

#include <GLFW/glfw3.h>

#include "app/base/error.h"
#include "app/platform/window.h"

namespace lab::platform {

/// Opens one window with a current OpenGL 3.3 core context; the destructor closes it. GLFW stays
/// initialised until the process ends.
class GlContext {
 public:
  /// Fails with kNoDisplay, kNoOpenGl, or kFailed when a window is already open, with a one-line
  /// message.
  static Expected<std::unique_ptr<GlContext>> create(const WindowOptions& options);
  ~GlContext();
  /// Can be neither copied nor moved.
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  /// The window, owned by this.
  GLFWwindow* window() const { return window_; }

 private:
  GlContext() = default;
  GLFWwindow* window_ = nullptr;
};

}  // namespace lab::platform
