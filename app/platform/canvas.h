#pragma once

#include <string>

#include "app/base/error.h"

namespace lab::platform {

/// Pixels to draw on that no screen shows, of any size that the graphics card can hold.
class Canvas {
 public:
  /// Fails with kBadInput when the card cannot hold width × height pixels.
  static Expected<Canvas> create(int width, int height);
  ~Canvas();
  Canvas(Canvas&& other) noexcept;
  Canvas& operator=(Canvas&&) = delete;

  /// Makes OpenGL draw here.
  void bind() const;
  /// 3 bytes a pixel, rows from the top.
  std::string read_pixels() const;

 private:
  Canvas(int width, int height) : width_(width), height_(height) {}
  int width_, height_;
  unsigned framebuffer_ = 0, colours_ = 0;
};

}  // namespace lab::platform
