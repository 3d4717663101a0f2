#include "app/platform/window.h"

#include <glad/gl.h>

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cfloat>
#include <optional>

#include "app/platform/canvas.h"
#include "app/platform/desktop.h"
#include "app/platform/gl_context.h"
#include "app/platform/gl_textures.h"
#include "app/platform/input_queue.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {
namespace {

/// While input is pending a frame need not be shown, but the screen should be updated at least this
/// often, in seconds.
constexpr double kLongestStill = 0.03;
// Seconds from the first to the second click of a double click, as on most desktops.
constexpr float kDoubleClick = 0.5F;

/// An ImGui context with the OpenGL renderer; the destructor closes both.
class ImGuiSession {
 public:
  ImGuiSession() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;
    io.MouseDoubleClickTime = kDoubleClick;
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    view::compat::set_up_input(io);
    view::compat::go_on_after_mistakes();
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~ImGuiSession() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
  }
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
};

/// Passes one event to ImGui.
struct Feed {
  ImGuiIO& io;
  void operator()(const input::PointerMoved& e) const {
    view::compat::feed_pointer(io, {e.x, e.y});
  }
  void operator()(const input::PointerLeft&) const {
    view::compat::feed_pointer(io, {-FLT_MAX, -FLT_MAX});
  }
  void operator()(const input::ButtonChanged& e) const {
    view::compat::feed_button(io, e.button, e.down);
  }
  void operator()(const input::Scrolled& e) const { view::compat::feed_scroll(io, {e.x, e.y}); }
  void operator()(const input::KeyChanged& e) const { view::compat::feed_key(io, e.key, e.down); }
  void operator()(const input::Typed& e) const { view::compat::feed_character(io, e.character); }
  void operator()(const input::FocusChanged& e) const { view::compat::feed_focus(io, e.focused); }
};

class GlfwWindow final : public Window {
 public:
  GlfwWindow(std::unique_ptr<GlContext> context, std::optional<Canvas> canvas,
             const WindowOptions& options)
      : context_(std::move(context)),
        window_(context_->window()),
        canvas_(std::move(canvas)),
        width_(options.width),
        height_(options.height),
        desktop_(window_),
        services_(canvas_ ? std::make_unique<view::DesktopServices>() : native_desktop(window_)) {
    measure();
    glfwSetWindowUserPointer(window_, this);
    listen_to_input();
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
      self(window).dropped_.insert(self(window).dropped_.end(), paths, paths + count);
    });
    glfwSwapInterval(canvas_ ? 0 : 1);
  }

  view::TextureSink& textures() override { return textures_; }
  view::DesktopServices& services() override { return *services_; }
  float content_scale() const override {
    float x = 1, y = 1;
    if (!canvas_) glfwGetWindowContentScale(window_, &x, &y);
    return x;
  }
  bool should_close() const override { return glfwWindowShouldClose(window_); }
  void keep_open() override { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

  void wait_events() override {
    if (pending()) {
      glfwPollEvents();
    } else {
      glfwWaitEvents();
    }
  }
  void wait_events_for(double seconds) override {
    if (pending() || seconds <= 0) {
      glfwPollEvents();
    } else {
      glfwWaitEventsTimeout(seconds);
    }
  }
  void poll_events() override { glfwPollEvents(); }
  bool pending() const override { return queue_.pending(); }
  void post_wakeup() override { glfwPostEmptyEvent(); }
  std::vector<std::string> take_dropped_files() override { return std::exchange(dropped_, {}); }

  void begin_frame() override {
    measure();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    const double now = glfwGetTime();
    io.DeltaTime = static_cast<float>(std::max(now - last_frame_, 1e-4));
    last_frame_ = now;
    for (const InputEvent& event : queue_.take_frame()) std::visit(Feed{io}, event);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
  }

  void end_frame(figure::Rgb background) override {
    ImGui::Render();
    if (canvas_ || !pending() || glfwGetTime() - last_shown_ > kLongestStill) show(background);
    textures_.end_frame();
  }

  void drop_frame() override {
    ImGui::Render();
    textures_.end_frame();
  }

  std::string read_pixels() override { return canvas_ ? canvas_->read_pixels() : std::string(); }

  void fonts_changed() override { view::compat::upload_fonts(); }

  int width() const override { return width_; }
  int height() const override { return height_; }
  void bring_to_front() override {
    if (canvas_) return;
    if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE) glfwRestoreWindow(window_);
    glfwFocusWindow(window_);
  }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }

 private:
  static GlfwWindow& self(GLFWwindow* window) {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
  }

  void listen_to_input() {
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow* window, double x, double y) { self(window).pointer_moved(x, y); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
      if (!entered) self(window).queue_.push(input::PointerLeft{});
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
      self(window).button_changed(button, action == GLFW_PRESS);
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
      self(window).queue_.push(input::Scrolled{static_cast<float>(x), static_cast<float>(y)});
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int) {
      // ImGui itself repeats held keys.
      if (action != GLFW_REPEAT)
        self(window).key_changed(key_from_glfw(key, scancode), action == GLFW_PRESS);
    });
    glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
      self(window).queue_.push(input::Typed{character});
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
      self(window).queue_.push(input::FocusChanged{focused == GLFW_TRUE});
    });
  }

  /// GLFW measures in units of the desktop, which may be several pixels.
  void pointer_moved(double x, double y) {
    queue_.push(input::PointerMoved{static_cast<float>(x * pixels_per_unit_x_),
                                    static_cast<float>(y * pixels_per_unit_y_)});
  }
  void button_changed(int button, bool down) {
    if (button < ImGuiMouseButton_COUNT) queue_.push(input::ButtonChanged{button, down});
  }
  void key_changed(view::Key key, bool down) {
    if (key != view::Key::kNone) queue_.push(input::KeyChanged{key, down});
  }

  /// Updates the size of a visible window; off screen it is fixed.
  void measure() {
    if (canvas_) return;
    int units_x = 0, units_y = 0;
    glfwGetWindowSize(window_, &units_x, &units_y);
    glfwGetFramebufferSize(window_, &width_, &height_);
    if (units_x > 0 && units_y > 0) {
      pixels_per_unit_x_ = static_cast<double>(width_) / units_x;
      pixels_per_unit_y_ = static_cast<double>(height_) / units_y;
    }
  }

  void show(figure::Rgb background) {
    if (canvas_) canvas_->bind();
    glViewport(0, 0, width_, height_);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(background.r / 255.0f, background.g / 255.0f, background.b / 255.0f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (canvas_) return;
    desktop_.update_cursor();
    glfwSwapBuffers(window_);
    last_shown_ = glfwGetTime();
  }

  // In order of their dependencies.
  std::unique_ptr<GlContext> context_;
  GLFWwindow* window_;
  std::optional<Canvas> canvas_;  // of a window off screen
  int width_, height_;
  double pixels_per_unit_x_ = 1, pixels_per_unit_y_ = 1;
  ImGuiSession imgui_;
  Desktop desktop_;
  std::unique_ptr<view::DesktopServices> services_;
  GlTextures textures_;
  InputQueue queue_;
  std::vector<std::string> dropped_;
  double last_frame_ = 0, last_shown_ = 0;
};

}  // namespace

Expected<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  auto context = GlContext::create(options);
  if (!context) return tl::make_unexpected(context.error());
  std::optional<Canvas> canvas;
  if (!options.visible) {
    auto created = Canvas::create(options.width, options.height);
    if (!created) return tl::make_unexpected(created.error());
    canvas.emplace(std::move(*created));
  }
  return std::make_unique<GlfwWindow>(std::move(*context), std::move(canvas), options);
}

}  // namespace lab::platform
