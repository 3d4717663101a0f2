#include "app/figure/animation/animation.h"

#include <algorithm>
#include <stdexcept>

#include "app/figure/compose/sheet.h"

namespace lab::figure {
namespace {

using shape::Align;
using shape::Face;

// In fonts:
constexpr double kStrip = 2.8;  // below the figure
constexpr double kTrack = 0.25;

double strip(const FigureOptions& options) { return kStrip * page_look(options).font; }

}  // namespace

Expected<AnimationFigures> AnimationFigures::measured(Animation animation, const Snapshot* kept,
                                                      attention::WorkWatch* watch) {
  if (animation.count < 1) return fail(ErrorType::kUsage, "there is nothing to animate");
  if (animation.count > kMostMoments)
    return fail(ErrorType::kUsage, "the animation would have " + std::to_string(animation.count) +
                                       " frames; it may have up to " +
                                       std::to_string(kMostMoments));
  AnimationFigures figures(std::move(animation), kept);
  for (int pass = 0; pass < kPasses; ++pass) {
    figures.width_ = figures.height_ = 0;
    for (int i = 0; i < figures.count(); ++i) {
      if (auto done = figures.measure(i); !done) return tl::make_unexpected(done.error());
      attention::report_work(watch, 1);
    }
  }
  return figures;
}

Expected<void> AnimationFigures::measure(int number) try {
  const auto moment = animation_.moment(number);
  if (!moment) return tl::make_unexpected(moment.error());
  const Figure figure = figure_of(*moment);
  const Look look = page_look(moment->options);
  width_ = std::max(width_, figure.width);
  height_ = std::max(height_, figure.height + strip(moment->options));
  value_width_ = std::max(value_width_, look.ruler.width(moment->value, Face::kSans, look.font));
  transparent_ = transparent_ || figure.transparent;
  return {};
} catch (const std::out_of_range& problem) {
  return fail(ErrorType::kUsage, problem.what());
}

Expected<AnimationFigures::Timed> AnimationFigures::at(int number) {
  const auto moment = animation_.moment(number);
  if (!moment) return tl::make_unexpected(moment.error());
  Timed timed{figure_of(*moment), moment->milliseconds};
  timed.figure.width = width_, timed.figure.height = height_;
  add_caption(*moment, number, timed.figure);
  return timed;
}

Figure AnimationFigures::figure_of(const Moment& moment) {
  FigureOptions options = moment.options;
  if (options.height_mm) *options.height_mm -= strip(options) * kMillimetresPerPoint;
  return stage_figure(moment.document, evaluator_->evaluate(moment.document.problem), options,
                      kept_, &common_[options.stage]);
}

// The value is right-aligned in all frames, so that digits do not move.
void AnimationFigures::add_caption(const Moment& moment, int number, Figure& figure) const {
  const Look look = page_look(moment.options);
  const double font = look.font, margin = Metrics(font).margin, inside = width_ - 2 * margin;
  const double bottom = height_ - margin, track = kTrack * font, baseline = bottom - 0.9 * font;
  const std::string label = look.ruler.shortened(moment.caption + (moment.value.empty() ? "" : " "),
                                                 Face::kSans, font, inside - value_width_);
  const double value_end = margin + look.ruler.width(label, Face::kSans, font) + value_width_;
  const double done = static_cast<double>(number + 1) / animation_.count;
  const auto text = [&](const std::string& content, double x, Align align) {
    figure.shapes.emplace_back(
        shape::Text{x, baseline, content, font, look.text, align, Face::kSans, 0, false});
  };
  text(label, margin, Align::kLeft);
  if (!moment.value.empty()) text(moment.value, value_end, Align::kRight);
  figure.shapes.emplace_back(shape::Fill{margin, bottom - track, inside, track, look.line});
  figure.shapes.emplace_back(
      shape::Fill{margin, bottom - track, inside * done, track, look.accent});
}

}  // namespace lab::figure
