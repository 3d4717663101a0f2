#pragma once

#include <string>

#include "app/base/error.h"

namespace lab::platform {

/// An off-screen drawing surface of any size that the graphics card supports.
class Canvas {
 public:
  /// Creates a canvas. Fails with kBadInput when the card cannot hold width × height pixels.
  static Expected<Canvas> create(int width, int height);
  ~Canvas();
  /// Takes over the canvas of `other`.
  Canvas(Canvas&& other) noexcept;
  Canvas& operator=(Canvas&&) = delete;

  /// Makes OpenGL draw to this canvas.
  void bind() const;
  /// The pixels, 3 bytes each, rows from the top.
  std::string read_pixels() const;

 private:
  Canvas(int width, int height) : width_(width), height_(height) {}
  int width_, height_;
  unsigned framebuffer_ = 0, colours_ = 0;
};

}  // namespace lab::platform
