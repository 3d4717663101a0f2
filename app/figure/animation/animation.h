#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/base/error.h"
#include "app/figure/compose/common_look.h"
#include "app/figure/compose/stage_figure.h"
#include "core/layer/evaluator.h"

// An animation is a sequence of moments, each an evaluated state and a figure of it.
// animation_types.h has the types of animation, animation_file.h the files.

namespace lab::figure {

/// One frame of an animation.
struct Moment {
  Document document;
  FigureOptions options;
  std::string caption{};  ///< what is shown: "temperature ="
  std::string value{};    ///< the changing number after it, "0.42"; may be empty
  int milliseconds = 67;  ///< how long it is shown
};

/// Most moments of an animation.
inline constexpr int kMostMoments = 1000;

/// Moments in order of time. `moment` returns the one with that number, from 0, and the same one
/// for each call. It fails with a message for the user, such as that of the reducer.
struct Animation {
  int count = 0;
  std::function<Expected<Moment>(int number)> moment{};
};

/// The figures of an animation: all on pages of one size, with one layout, and for each map one
/// range of colours over all moments. A caption and the progress are drawn below them.
class AnimationFigures {
 public:
  /// Goes through all moments to find what they have in common. `kept` is state A of figures that
  /// have one; it must outlive this. Reports 1 per moment and pass to `watch`, which may be null.
  /// Fails with kUsage when there are no moments, too many, or no such figure, and as
  /// Animation::moment does; throws attention::WorkStopped.
  static Expected<AnimationFigures> measured(Animation animation, const Snapshot* kept = nullptr,
                                             attention::WorkWatch* watch = nullptr);
  /// How many passes measured() makes over the moments: one for their ranges, one for their sizes.
  static constexpr int kPasses = 2;

  /// The number of figures.
  int count() const { return animation_.count; }
  /// The width of every page, in points.
  double width() const { return width_; }
  /// The height of every page, in points.
  double height() const { return height_; }
  /// True when any figure leaves out its background.
  bool transparent() const { return transparent_; }

  /// A figure and its duration.
  struct Timed {
    Figure figure;
    int milliseconds = 0;
  };
  /// The figure with that number, from 0. Fails as Animation::moment does.
  Expected<Timed> at(int number);

 private:
  AnimationFigures(Animation animation, const Snapshot* kept)
      : animation_(std::move(animation)), kept_(kept) {}

  Expected<void> measure(int number);
  Figure figure_of(const Moment& moment);
  void add_caption(const Moment& moment, int number, Figure& figure) const;

  Animation animation_;
  const Snapshot* kept_;
  std::unique_ptr<attention::Evaluator> evaluator_ = std::make_unique<attention::Evaluator>();
  std::map<attention::Stage, CommonLook> common_;  // by the stage that is shown
  double width_ = 0, height_ = 0;
  double value_width_ = 0;  // of the widest value
  bool transparent_ = false;
};

}  // namespace lab::figure
