#pragma once

#include <memory>
#include <string>

#include "app/figure/figure_image.h"

namespace lab::figure {

/// Makes the bytes of an animated picture, frame by frame, none of which it keeps. All frames have
/// the size it was made for. Members throw std::bad_alloc when memory is short, and
/// std::runtime_error with the library's message when it fails otherwise.
class FrameEncoder {
 public:
  virtual ~FrameEncoder() = default;
  /// Takes note of the colours of a frame. Those that need it are shown all frames before the first
  /// is added (see AnimationFormat::learns).
  virtual void learn(const FigureImage&) {}
  /// Adds the next frame, which stands so long.
  virtual void add(const FigureImage& frame, int milliseconds) = 0;
  /// The whole file. Precondition: a frame was added.
  virtual std::string finish() = 0;
};

/// Lossless animated WebP: every pixel is as it was painted.
std::unique_ptr<FrameEncoder> webp_encoder(int width, int height);

/// GIF with one palette for all frames, exact where they have up to 255 colours together. Without
/// alpha. Times are in hundredths of a second.
std::unique_ptr<FrameEncoder> gif_encoder(int width, int height);

}  // namespace lab::figure
