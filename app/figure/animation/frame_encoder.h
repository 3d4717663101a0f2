#pragma once

#include <memory>
#include <string>

#include "app/figure/figure_image.h"

namespace lab::figure {

/// Encodes an animated image frame by frame without keeping any frame. All frames have the size
/// set on creation. Members throw std::bad_alloc when memory runs out, and std::runtime_error
/// with the message of the library when it fails otherwise.
class FrameEncoder {
 public:
  virtual ~FrameEncoder() = default;
  /// Collects the colours of a frame. Encoders that need this see all frames before the first is
  /// added (see AnimationFormat::learns).
  virtual void learn(const FigureImage&) {}
  /// Adds the next frame, shown for that long.
  virtual void add(const FigureImage& frame, int milliseconds) = 0;
  /// The complete file. Precondition: a frame was added.
  virtual std::string finish() = 0;
};

/// Lossless animated WebP: every pixel is kept exactly.
std::unique_ptr<FrameEncoder> webp_encoder(int width, int height);

/// GIF with one palette for all frames, exact when they have at most 255 colours in total. Without
/// alpha. Durations are in hundredths of a second.
std::unique_ptr<FrameEncoder> gif_encoder(int width, int height);

}  // namespace lab::figure
