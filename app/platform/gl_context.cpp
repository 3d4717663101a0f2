#include <glad/gl.h>

#include "app/platform/gl_context.h"

#include <algorithm>
#include <cstdlib>

#include "app/platform/window_icon.h"

namespace lab::platform {
namespace {

/// The latest error message of GLFW, without the name of the component that failed.
std::string last_glfw_error() {
  const char* description = nullptr;
  glfwGetError(&description);
  std::string text = description ? description : "no reason was given";
  for (const char* prefix : {"X11: ", "Wayland: ", "GLX: ", "EGL: "})
    if (text.starts_with(prefix)) text.erase(0, std::string(prefix).size());
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return text;
}

// GLFW 3.4 and newer try Wayland first. X11, where there is one, has pictures on the clipboard, and
// errors that name the display.
void prefer_x11() {
#ifdef GLFW_PLATFORM
  const bool has_x11 = std::getenv("DISPLAY") != nullptr;
  const bool has_wayland = std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (has_x11 || !has_wayland) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

void set_window_hints(bool visible) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "attention-lab");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attention-lab");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "attention-lab");
#endif
}

void ask_for_opengl_3_3() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
}

/// The size of a visible window: as requested, but at most the size of the screen.
std::pair<int, int> fitting_size(const WindowOptions& options) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  if (width <= 0 || height <= 0) return {options.width, options.height};
  return {std::min(options.width, width), std::min(options.height, height)};
}

GLFWwindow* create_window(const WindowOptions& options) {
  // Off screen, a frame is drawn into a framebuffer: the window only provides the context.
  const auto [width, height] = options.visible ? fitting_size(options) : std::pair(16, 16);
  set_window_hints(options.visible);
  ask_for_opengl_3_3();
  GLFWwindow* window = glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
  if (window && options.visible) set_window_icon(window);
  return window;
}

/// The OpenGL version when it is not 3.3: " This machine offers …", or nothing when it cannot be
/// determined.
std::string offered_opengl() {
  set_window_hints(false);
  GLFWwindow* window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!window) return "";
  glfwMakeContextCurrent(window);
  using GetString = const GLubyte*(GLAD_API_PTR*)(GLenum);
  const auto get_string = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"));
  const GLubyte* version = get_string ? get_string(GL_VERSION) : nullptr;
  std::string text;
  if (version)
    text = std::string("; this machine offers ") + reinterpret_cast<const char*>(version);
  glfwDestroyWindow(window);
  return text;
}

// Initialises GLFW and ends it only with the process: libraries that it loads, and others go on
// using, would be unloaded with it. False if that fails.
bool initialise_glfw() {
  struct Glfw {
    ~Glfw() { glfwTerminate(); }
  };
  if (!glfwInit()) return false;
  static const Glfw ended_with_the_process;
  return true;
}

tl::unexpected<Error> no_opengl(const std::string& reason) {
  return fail(ErrorType::kNoOpenGl, "The window needs OpenGL 3.3" + offered_opengl() + " (" +
                                        reason + "). Update the graphics driver.");
}

}  // namespace

Expected<std::unique_ptr<GlContext>> GlContext::create(const WindowOptions& options) {
  if (glfwGetCurrentContext()) return fail(ErrorType::kFailed, "A window is already open.");
  std::unique_ptr<GlContext> context(new GlContext);
  glfwSetErrorCallback(nullptr);
  prefer_x11();
  if (!initialise_glfw())
    return fail(ErrorType::kNoDisplay,
                "There is no display to open a window on: " + last_glfw_error() + ".");
  context->window_ = create_window(options);
  if (!context->window_) return no_opengl(last_glfw_error());
  glfwMakeContextCurrent(context->window_);
  if (!gladLoadGL(glfwGetProcAddress) || !GLAD_GL_VERSION_3_3)
    return no_opengl("its functions could not be loaded");
  return context;
}

GlContext::~GlContext() {
  if (window_) glfwDestroyWindow(window_);
}

}  // namespace lab::platform
