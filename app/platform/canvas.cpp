#include "app/platform/canvas.h"

#include <glad/gl.h>

#include <algorithm>
#include <utility>

namespace lab::platform {

Expected<Canvas> Canvas::create(int width, int height) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest)
    return fail(ErrorType::kBadInput, "An image of " + std::to_string(width) + " × " +
                                          std::to_string(height) +
                                          " pixels cannot be drawn: each side may have 1 to " +
                                          std::to_string(largest) + ".");
  Canvas canvas(width, height);
  glGenFramebuffers(1, &canvas.framebuffer_);
  glGenRenderbuffers(1, &canvas.colours_);
  glBindRenderbuffer(GL_RENDERBUFFER, canvas.colours_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  canvas.bind();
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas.colours_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return fail(ErrorType::kBadInput, "The graphics card has no room for an image of " +
                                          std::to_string(width) + " × " + std::to_string(height) +
                                          " pixels.");
  return canvas;
}

Canvas::Canvas(Canvas&& other) noexcept
    : width_(other.width_),
      height_(other.height_),
      framebuffer_(std::exchange(other.framebuffer_, 0)),
      colours_(std::exchange(other.colours_, 0)) {}

Canvas::~Canvas() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteRenderbuffers(1, &colours_);
}

void Canvas::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }

std::string Canvas::read_pixels() const {
  const std::size_t row = static_cast<std::size_t>(width_) * 3;
  std::string pixels(row * height_, '\0');
  bind();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  // OpenGL's first row is the lowest.
  for (int y = 0; y < height_ / 2; ++y)
    std::swap_ranges(pixels.begin() + y * row, pixels.begin() + (y + 1) * row,
                     pixels.begin() + (height_ - 1 - y) * row);
  return pixels;
}

}  // namespace lab::platform
