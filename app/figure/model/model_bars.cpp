#include "app/figure/model/model_bars.h"

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/explain/number_text.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/model/model_caption.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using shape::Align;
using shape::Face;

constexpr double kRowHeight = 1.6;        // fonts
constexpr double kBarHeight = 0.95;       // fonts
constexpr double kWidestBarToken = 0.34;  // of the page
constexpr double kWidestBars = 40;        // fonts

std::string probability_text(const FigureOptions& options, float value) {
  return explain::with_minus_signs(
      options.significant ? explain::format_significant(value, options.decimals)
      : options.exact     ? explain::format_fixed(value, options.decimals)
                          : explain::adaptive_text(value, options.decimals));
}

/// Draws the bars from top to bottom.
class BarDrawer {
 public:
  BarDrawer(const ModelBars& bars, const FigureOptions& options, const Look& look, double width)
      : bars_(bars),
        options_(options),
        look_(look),
        m_(look.font),
        figure_(empty_page(look, width)) {
    figure_.title = asked_title(options).value_or(printable(bars.title));
  }

  Figure run() {
    lay_out_columns();
    double y = draw_heading(bars_.caption, options_, look_, figure_);
    headings_of_columns(y);
    if (!bars_.note_heading.empty()) y += m_.line;
    for (const ModelBar& bar : bars_.bars) {
      row(bar, y);
      y += kRowHeight * look_.font;
    }
    figure_.height = legend(y) + m_.margin;
    return std::move(figure_);
  }

 private:
  template <typename Member>
  double widest(Member member, double least = 0) const {
    double width = least;
    for (const ModelBar& bar : bars_.bars)
      width = std::max(width, look_.ruler.width(member(bar), Face::kSans, look_.font));
    return width;
  }

  /// Labels, tokens, bars, probabilities and notes from left to right.
  void lay_out_columns() {
    const double gap = look_.font * 0.7;
    const double labels = widest([](const ModelBar& bar) { return printable(bar.label); });
    token_width_ = std::min(kWidestBarToken * figure_.width,
                            widest([](const ModelBar& bar) { return printable(bar.token); }));
    const double numbers =
        widest([&](const ModelBar& bar) { return probability_text(options_, bar.probability); });
    const double heading =
        look_.ruler.width(printable(bars_.note_heading), Face::kSans, look_.font);
    const double notes = widest([](const ModelBar& bar) { return bar.note; },
                                std::min(heading, kWidestBarToken * figure_.width));
    label_x_ = m_.margin;
    token_x_ = label_x_ + (labels > 0 ? labels + gap : 0) + token_width_;
    bar_x_ = token_x_ + gap;
    note_x_ = figure_.width - m_.margin;
    const double right = note_x_ - (notes > 0 ? notes + gap : 0) - numbers - gap;
    bar_width_ = std::clamp(right - bar_x_, look_.font, kWidestBars * look_.font);
    number_x_ = bar_x_ + bar_width_ + gap + numbers;
    note_x_ = number_x_ + gap + notes;
    for (const ModelBar& bar : bars_.bars)
      largest_ = std::max({largest_, bar.probability, bar.before.value_or(0)});
  }

  void text(const std::string& text, double x, double y, Align align, Rgb colour,
            Face face = Face::kSans, double size = 1) {
    if (text.empty()) return;
    figure_.shapes.emplace_back(
        shape::Text{x, y, text, size * look_.font, colour, align, face, 0, false});
  }

  void headings_of_columns(double y) {
    if (bars_.note_heading.empty()) return;
    text(look_.ruler.shortened(printable(bars_.note_heading), Face::kSans, look_.font,
                               kWidestBarToken * figure_.width),
         note_x_, y + look_.font, Align::kRight, look_.muted);
  }

  double length_of(float probability) const {
    return largest_ > 0 ? bar_width_ * static_cast<double>(probability / largest_) : 0;
  }

  void row(const ModelBar& bar, double top) {
    const double middle = top + kRowHeight * look_.font / 2;
    const double baseline = middle + kCapital * look_.font;
    const Rgb ink = bar.accent ? look_.selected : look_.text;
    const double height = kBarHeight * look_.font;
    text(printable(bar.label), label_x_, baseline, Align::kLeft, look_.muted);
    text(look_.ruler.shortened(printable(bar.token), Face::kSans, look_.font, token_width_),
         token_x_, baseline, Align::kRight, ink, bar.accent ? Face::kSansBold : Face::kSans);
    figure_.shapes.emplace_back(shape::Fill{bar_x_, middle - height / 2,
                                            std::max(0.4, length_of(bar.probability)), height,
                                            bar.accent ? look_.selected : look_.accent});
    if (bar.before)
      figure_.shapes.emplace_back(shape::Frame{bar_x_, middle - height / 2,
                                               std::max(0.4, length_of(*bar.before)), height,
                                               look_.text, 0.1 * look_.font});
    text(probability_text(options_, bar.probability), number_x_, baseline, Align::kRight,
         look_.text);
    text(bar.note, note_x_, baseline, Align::kRight, look_.muted);
  }

  /// What an outline is, if there is any; returns where it ends.
  double legend(double y) {
    if (std::ranges::none_of(bars_.bars,
                             [](const ModelBar& bar) { return bar.before.has_value(); }))
      return y;
    y += 0.5 * look_.font;
    const double side = 0.8 * look_.font;
    figure_.shapes.emplace_back(
        shape::Frame{bar_x_, y, 2 * side, side, look_.text, 0.1 * look_.font});
    text(tr("before the edits"), bar_x_ + 2 * side + m_.label_gap, y + side, Align::kLeft,
         look_.muted);
    return y + look_.font;
  }

  const ModelBars& bars_;
  const FigureOptions& options_;
  const Look& look_;
  Metrics m_;
  Figure figure_;
  double label_x_ = 0, token_x_ = 0, bar_x_ = 0, number_x_ = 0, note_x_ = 0;
  double token_width_ = 0, bar_width_ = 0;
  float largest_ = 0;
};

}  // namespace

Figure model_bars_figure(const ModelBars& bars, const FigureOptions& options) {
  constexpr double kSmallestFont = 3;
  const PageSize page = page_size(options);
  Look look = page_look(options);
  Figure figure = BarDrawer(bars, options, look, page.width).run();
  while (figure.height > page.most_height && look.font > kSmallestFont) {
    const double share = std::clamp(page.most_height / figure.height, 0.5, 0.97);
    look.font = std::max(kSmallestFont, look.font * share);
    figure = BarDrawer(bars, options, look, page.width).run();
  }
  figure.transparent = options.transparent;
  return figure;
}

}  // namespace lab::figure
