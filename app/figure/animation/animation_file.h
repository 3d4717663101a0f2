#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/figure/animation/animation.h"
#include "app/figure/animation/frame_encoder.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// A kind of file that an animation can be written as.
struct AnimationFormat {
  std::string_view ending;   ///< of its files, with the dot
  std::string_view name;     ///< for people: "WebP"
  bool transparent = false;  ///< may have no background
  bool learns = false;       ///< its encoder is shown every frame twice
  /// Makes it carry a session; null where it cannot.
  void (*carry)(std::string& file, std::string_view session) = nullptr;
  /// What makes its bytes.
  std::unique_ptr<FrameEncoder> (*encoder)(int width, int height) = nullptr;
};

/// Every format of animations, in the order of menus.
std::span<const AnimationFormat> animation_formats();

/// The format of files with that ending, or null.
const AnimationFormat* animation_format(std::string_view ending);

/// The file of an animation, which is repeated without end, with writing.session where the format
/// can carry it. One frame is held at a time. `kept` is
/// state A of figures that have one. Fails with kUsage when there is no such animation, its
/// pictures would be too large or too many for a file, or the format has no transparency; with
/// kFailed when memory is short. Throws attention::WorkStopped when writing.watch says so.
Expected<std::string> animation_file(const Animation& animation, const AnimationFormat& format,
                                     const WriteOptions& writing, const Snapshot* kept = nullptr);

}  // namespace lab::figure
