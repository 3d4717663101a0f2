#include "app/figure/model/model_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/base/visible_text.h"
#include "app/base/wording.h"
#include "app/explain/number_text.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/model/model_caption.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using shape::Align;
using shape::Face;

constexpr double kHeight = 0.42;       // of the width
constexpr double kWidestLabel = 0.25;  // of the page
constexpr int kMostPoints = 400;

/// Draws axes, lines, and their labels.
class CurveDrawer {
 public:
  CurveDrawer(const ModelCurves& curves, const FigureOptions& options, const Look& look,
              double width)
      : curves_(curves), look_(look), m_(look.font), figure_(empty_page(look, width)) {
    figure_.title = asked_title(options).value_or(printable(curves.title));
    top_ = draw_heading(curves.caption, options, look, figure_);
  }

  Figure run() {
    index();
    levels();
    steps();
    mark();
    for (const bool strong : {false, true})
      for (const ModelCurve& curve : curves_.curves)
        if (curve.accent == strong) line(curve);
    labels();
    figure_.height = bottom_ + 3.4 * look_.font + m_.margin;
    return std::move(figure_);
  }

 private:
  void index() {
    double widest = 0;
    for (const ModelCurve& curve : curves_.curves)
      widest = std::max(widest, look_.ruler.width(printable(curve.label), face(curve), look_.font));
    label_width_ = std::min(widest, kWidestLabel * figure_.width);
    left_ = m_.margin + 2.6 * look_.font;
    right_ = figure_.width - m_.margin - label_width_ - look_.font;
    bottom_ = top_ + kHeight * (right_ - left_);
  }

  double x(double step) const {
    return left_ + (right_ - left_) * step / std::max(1, curves_.last);
  }
  double y(float value) const {
    const double share = (value - curves_.low) / std::max(curves_.high - curves_.low, 1e-30f);
    return bottom_ - (bottom_ - top_) * std::clamp(share, -0.02, 1.02);
  }
  static Face face(const ModelCurve& curve) { return curve.accent ? Face::kSansBold : Face::kSans; }
  Rgb colour(const ModelCurve& curve) const {
    if (curve.accent) return look_.selected;
    return curve.muted ? look_.muted : curve.label.empty() ? look_.line : look_.accent;
  }

  void text(const std::string& text, double x, double y, Align align, Rgb colour,
            Face face = Face::kSans) {
    figure_.shapes.emplace_back(shape::Text{x, y, text, look_.font, colour, align, face, 0, false});
  }
  void straight(shape::Point from, shape::Point to, Rgb colour, double line) {
    figure_.shapes.emplace_back(shape::Polyline{{from, to}, colour, line});
  }

  void levels() {
    for (int i = 0; i <= kLevels; ++i) {
      const double height = y(level_value(curves_, i));
      straight({left_, height}, {right_, height}, look_.line, 0.4);
      text(level_text(curves_, i), left_ - m_.label_gap, height + kCapital * look_.font,
           Align::kRight, look_.muted);
    }
  }

  void steps() {
    const int most = std::max(2, static_cast<int>((right_ - left_) / (6 * look_.font)));
    const int distance = step_distance(curves_.last, most);
    for (int step = 0; step <= curves_.last; step += distance)
      text(grouped(step), x(step), bottom_ + 1.4 * look_.font, Align::kCentre, look_.muted);
    text(tr("steps"), (left_ + right_) / 2, bottom_ + 2.8 * look_.font, Align::kCentre,
         look_.muted);
  }

  void mark() {
    if (!curves_.marked) return;
    const double at = x(*curves_.marked);
    straight({at, top_}, {at, bottom_}, look_.muted, 0.5);
    const double width = look_.ruler.width(printable(curves_.mark), Face::kSans, look_.font);
    const bool left = at - width - look_.font > left_;
    text(printable(curves_.mark), left ? at - m_.label_gap : at + m_.label_gap, top_ + look_.font,
         left ? Align::kRight : Align::kLeft, look_.muted);
  }

  void line(const ModelCurve& curve) {
    shape::Polyline polyline{thinned(curve, curves_.last, kMostPoints), colour(curve),
                             (curve.accent ? 0.2 : 0.12) * look_.font};
    for (shape::Point& point : polyline.points)
      point = {x(point.x), y(static_cast<float>(point.y))};
    if (polyline.points.size() > 1) figure_.shapes.emplace_back(std::move(polyline));
  }

  void labels() {
    std::vector<const ModelCurve*> shown;
    std::vector<double> heights;
    for (const ModelCurve& curve : curves_.curves) {
      const float value = last_finite(curve);
      if (curve.label.empty() || !std::isfinite(value)) continue;
      shown.push_back(&curve);
      heights.push_back(y(value));
    }
    heights = spread_labels(std::move(heights), kLabelDistance * look_.font, top_, bottom_);
    for (std::size_t i = 0; i < shown.size(); ++i)
      text(look_.ruler.shortened(printable(shown[i]->label), face(*shown[i]), look_.font,
                                 label_width_),
           right_ + m_.label_gap, heights[i] + kCapital * look_.font, Align::kLeft,
           colour(*shown[i]), face(*shown[i]));
  }

  const ModelCurves& curves_;
  const Look& look_;
  Metrics m_;
  Figure figure_;
  double top_ = 0, bottom_ = 0, left_ = 0, right_ = 0, label_width_ = 0;
};

}  // namespace

Figure model_curves_figure(const ModelCurves& curves, const FigureOptions& options) {
  const PageSize page = page_size(options);
  const Look look = page_look(options);
  double width = page.width;
  Figure figure = CurveDrawer(curves, options, look, width).run();
  constexpr double kSmallestShare = 0.3;
  while (figure.height > page.most_height && width > kSmallestShare * page.width) {
    width *= std::clamp(page.most_height / figure.height, 0.5, 0.97);
    figure = CurveDrawer(curves, options, look, width).run();
  }
  figure.transparent = options.transparent;
  return figure;
}

float level_value(const ModelCurves& curves, int level) {
  const float share = static_cast<float>(level) / static_cast<float>(kLevels);
  return curves.low + (curves.high - curves.low) * share;
}

std::string level_text(const ModelCurves& curves, int level) {
  const float distance = (curves.high - curves.low) / kLevels;
  const int digits = distance >= 1 ? 1 : distance >= 0.02f ? 2 : distance >= 0.002f ? 3 : 5;
  return explain::format_fixed(level_value(curves, level), digits);
}

float last_finite(const ModelCurve& curve) {
  for (std::size_t i = curve.values.size(); i-- > 0;)
    if (std::isfinite(curve.values[i])) return curve.values[i];
  return std::nanf("");
}

std::vector<shape::Point> thinned(const ModelCurve& curve, int last, int count) {
  std::vector<double> steps(static_cast<std::size_t>(count)), values(steps.size());
  std::vector<int> counts(steps.size());
  const double scale = count / (std::max(1, last) + 1e-9);
  for (std::size_t i = 0; i < curve.steps.size() && curve.steps[i] <= last; ++i) {
    if (!std::isfinite(curve.values[i])) continue;
    const auto index = std::min(static_cast<std::size_t>(curve.steps[i] * scale), steps.size() - 1);
    steps[index] += curve.steps[i];
    values[index] += curve.values[i];
    ++counts[index];
  }
  std::vector<shape::Point> points;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (counts[i] > 0) points.push_back({steps[i] / counts[i], values[i] / counts[i]});
  return points;
}

int step_distance(int last, int most) {
  for (int power = 1; power < 1'000'000'000; power *= 10)
    for (const int factor : {1, 2, 5})
      if (last / (power * factor) < most) return power * factor;
  return std::max(1, last);
}

std::vector<double> spread_labels(std::vector<double> preferred, double distance, double top,
                                  double bottom) {
  std::vector<std::size_t> order(preferred.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return preferred[i]; });
  double free = top;
  for (const std::size_t i : order) free = (preferred[i] = std::max(preferred[i], free)) + distance;
  double limit = bottom;
  std::ranges::reverse(order);
  for (const std::size_t i : order)
    limit = (preferred[i] = std::min(preferred[i], limit)) - distance;
  return preferred;
}

}  // namespace lab::figure
