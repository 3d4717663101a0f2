#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/base/error.h"
#include "app/figure/compose/common_look.h"
#include "app/figure/compose/stage_figure.h"
#include "core/layer/evaluator.h"

// An animation is a row of moments, each a state that is really evaluated and a figure of it. The
// kinds stand in animation_kinds.h, the files in animation_file.h.

namespace lab::figure {

/// One picture of an animation.
struct Moment {
  Document document;
  FigureOptions options;
  std::string caption{};  ///< what is seen now: "temperature ="
  std::string value{};    ///< a number that follows it and changes, "0.42"; may be empty
  int milliseconds = 67;  ///< how long it stands
};

/// Most moments of an animation.
inline constexpr int kMostMoments = 1000;

/// Moments in the order of time. `moment` gives the one of that number, from 0; the same each time
/// it is asked. It fails with a message for the person, such as the reducer's.
struct Animation {
  int count = 0;
  std::function<Expected<Moment>(int number)> moment{};
};

/// The figures of an animation: all on pages of one size, with one layout and one range of colours
/// for each map, that of all moments together, and below them what is seen and how far it is.
class AnimationFigures {
 public:
  /// Goes through all moments to learn what they have in common. `kept` is state A of figures that
  /// have one; it must live as long as this. `watch`, which may be null, is told of 1 for each
  /// moment, kPasses times. Fails with kUsage when there are no or too many moments, as
  /// Animation::moment does, or with kUsage when there is no such figure; throws
  /// attention::WorkStopped.
  static Expected<AnimationFigures> measured(Animation animation, const Snapshot* kept = nullptr,
                                             attention::WorkWatch* watch = nullptr);
  /// How often measured() goes through the moments: for their ranges, and for their sizes.
  static constexpr int kPasses = 2;

  /// How many there are.
  int count() const { return animation_.count; }
  /// The width and height of every page, in points.
  double width() const { return width_; }
  double height() const { return height_; }
  /// True when any figure leaves out its background.
  bool transparent() const { return transparent_; }

  /// A figure, and how long it stands.
  struct Timed {
    Figure figure;
    int milliseconds = 0;
  };
  /// The figure of that number, from 0. Fails as Animation::moment does.
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
