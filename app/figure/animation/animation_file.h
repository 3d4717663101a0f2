#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/figure/animation/animation.h"
#include "app/figure/animation/frame_encoder.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// A file format for animations.
struct AnimationFormat {
  std::string_view ending;   ///< of its files, with the dot
  std::string_view name;     ///< for people: "WebP"
  bool transparent = false;  ///< frames may be transparent
  bool learns = false;       ///< its encoder sees every frame twice
  /// Embeds a session in the file; null where the format cannot.
  void (*embed)(std::string& file, std::string_view session) = nullptr;
  /// Creates the encoder.
  std::unique_ptr<FrameEncoder> (*encoder)(int width, int height) = nullptr;
};

/// Every format of animations, in the order of menus.
std::span<const AnimationFormat> animation_formats();

/// The format of files with that ending, or null.
const AnimationFormat* animation_format(std::string_view ending);

/// The file of an animation, which loops forever and embeds writing.session where the format can.
/// Only one frame is in memory at a time. `kept` is state A of figures that have one. Fails with
/// kUsage when there is no such animation, its frames would be too large or too many for a file, or
/// the format has no transparency; with kFailed when memory runs out. Throws attention::WorkStopped
/// when writing.watch says so.
Expected<std::string> animation_file(const Animation& animation, const AnimationFormat& format,
                                     const WriteOptions& writing, const Snapshot* kept = nullptr);

}  // namespace lab::figure
