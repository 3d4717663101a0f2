#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "app/platform/window.h"
#include "app/tests/rooms.h"

namespace lab::figure {

inline std::ostream& operator<<(std::ostream& out, Rgb colour) {
  return out << '(' << int{colour.r} << ' ' << int{colour.g} << ' ' << int{colour.b} << ')';
}

}  // namespace lab::figure

namespace lab {

constexpr Rgb kBackground{250, 0, 250};  // occurs in no palette
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Sets an environment variable, or removes it, until the end of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// A picture of a window off screen.
struct Picture {
  int width = 0, height = 0;
  std::string pixels;
  Rgb at(int x, int y) const {
    const auto* p = reinterpret_cast<const std::uint8_t*>(pixels.data()) + (y * width + x) * 3;
    return {p[0], p[1], p[2]};
  }
};

/// A window off screen that the test fails without.
inline std::unique_ptr<Window> open_off_screen(int width, int height) {
  auto window = Window::open({.width = width, .height = height, .title = "Test", .visible = false});
  if (!window) {
    ADD_FAILURE() << window.error().message;
    std::abort();
  }
  return std::move(*window);
}

/// One frame with what `draw` puts on the background.
inline Picture picture_of(Window& window, const std::function<void(ImDrawList&)>& draw) {
  window.begin_frame();
  draw(*ImGui::GetBackgroundDrawList());
  window.end_frame(kBackground);
  return {window.width(), window.height(), window.read_pixels()};
}

/// True when every channel differs by at most `tolerance`.
inline bool is_near(Rgb a, Rgb b, int tolerance = 2) {
  return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
         std::abs(a.b - b.b) <= tolerance;
}

}  // namespace lab
