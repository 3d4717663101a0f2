#include "app/figure/compose/stage_sheet.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <tuple>

#include "app/figure/compose/label_layout.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/figure/text/figure_text.h"
#include "app/translation/words.h"
#include "core/analysis/metrics.h"

namespace lab::figure {
namespace {

using attention::Index;
using attention::Pair;
using shape::Align;
using shape::Face;

constexpr double kRow = 1.5;          // fonts from one token to the next
constexpr double kWidestToken = 0.3;  // of the page
constexpr double kWidestMap = 44;     // fonts between queries and keys
constexpr Index kMostRows = 400;      // tokens that are drawn at the full distance

struct HeadLines {
  Index head;
  Rgb colour;
};

/// A line from a query to a key.
struct WeightLine {
  Pair pair;
  Rgb colour;
};

/// Draws one figure of lines.
class LineDrawer {
 public:
  LineDrawer(const FigureSource& source, const Look& look, double width)
      : source_(source), look_(look), m_(look.font), figure_(empty_page(look, width)) {
    figure_.title = asked_title(source.options).value_or(default_title());
  }

  Figure run() {
    check();
    choose_tokens();
    lay_out_columns();
    top_ = m_.margin + (figure_.title.empty() ? 0 : title());
    const auto rows = std::max(std::ssize(queries_), std::ssize(keys_));
    pitch_ = kRow * look_.font * std::min(1.0, double{kMostRows} / static_cast<double>(rows));
    lines();
    labels(false);
    labels(true);
    const double end = top_ + static_cast<double>(rows) * pitch_ + look_.font;
    figure_.height = legend(end) + m_.margin;
    return std::move(figure_);
  }

 private:
  /// The tokens that are shown; the query that was asked for is always one of them.
  void choose_tokens() {
    const FigureOptions& options = source_.options;
    queries_ = shown_positions(options.queries, source_.document.problem.seq_len());
    keys_ = shown_positions(options.keys, source_.document.problem.kv_len());
    if (!options.row || std::ranges::count(queries_, *options.row) > 0) return;
    queries_.insert(std::ranges::lower_bound(queries_, *options.row), *options.row);
  }

  void check() const {
    check_tokens(source_);
    for (const HeadLines& lines : heads())
      if (lines.head < 0 || lines.head >= source_.heads())
        throw std::out_of_range("There is no " + head_name(source_.document, lines.head) + ".");
    const auto row = source_.options.row;
    if (row && (*row < 0 || *row >= source_.document.problem.seq_len()))
      throw std::out_of_range("There is no query " + std::to_string(*row) + ".");
  }

  std::vector<HeadLines> heads() const {
    const FigureOptions& options = source_.options;
    if (options.line_heads.empty()) return {{options.head, look_.selected}};
    std::vector<HeadLines> heads;
    for (const Index head : options.line_heads)
      heads.push_back({head, head_line_colour(static_cast<int>(heads.size()) % kLineColours)});
    return heads;
  }

  std::string default_title() const {
    const FigureOptions& options = source_.options;
    std::string title = tr("What each query looks at");
    if (options.row) title = tr("What “{}” looks at", {row_label(source_.document, *options.row)});
    if (options.line_heads.empty() && source_.heads() > 1)
      title += ", " + head_name(source_.document, options.head);
    return title;
  }

  void text(const std::string& text, double x, double y, double size, Align align, Rgb colour,
            Face face = Face::kSans) {
    figure_.shapes.emplace_back(shape::Text{x, y, text, size, colour, align, face, 0, false});
  }

  double title() {
    const double size = 1.2 * look_.font, room = figure_.width - 2 * m_.margin;
    const auto shown = wrapped(look_.ruler, figure_.title, Face::kSansBold, size, room);
    const double width = look_.ruler.widest(shown, Face::kSansBold, size);
    const double x = std::max(m_.margin, std::min(edge(), figure_.width - m_.margin - width));
    double baseline = m_.margin;
    for (const std::string& line : shown) {
      baseline += baseline > m_.margin ? kTitleLine * look_.font : size;
      text(line, x, baseline, size, Align::kLeft, look_.text, Face::kSansBold);
    }
    return baseline - m_.margin - size + 2.2 * m_.line;
  }

  std::string label(bool key, Index i) const {
    return key ? key_label(source_.document, i) : row_label(source_.document, i);
  }

  bool is_labelled(bool key) const {
    return key ? source_.options.column_labels : source_.options.row_labels;
  }

  double widest(bool key) const {
    double width =
        look_.ruler.width(key ? tr("key##axis") : tr("query##axis"), Face::kSans, look_.font);
    if (!is_labelled(key)) return width;
    for (const Index i : tokens(key))
      width = std::max(width, look_.ruler.width(label(key, i), Face::kSans, look_.font));
    return std::min(width, kWidestToken * figure_.width);
  }

  /// Queries end at left_, keys begin at right_.
  void lay_out_columns() {
    left_room_ = widest(false);
    right_room_ = widest(true);
    const double room = figure_.width - 2 * m_.margin - left_room_ - right_room_;
    const double between = std::min(room, kWidestMap * look_.font);
    left_ = m_.margin + left_room_ + (room - between) / 2;
    right_ = left_ + between;
  }

  /// The left edge of the queries.
  double edge() const { return left_ - left_room_; }

  const std::vector<Index>& tokens(bool key) const { return key ? keys_ : queries_; }

  /// The vertical position of the token at `index` among those that are shown.
  double middle(std::ptrdiff_t index) const {
    return top_ + (static_cast<double>(index) + 0.5) * pitch_;
  }

  void labels(bool key) {
    const double x = key ? right_ : left_;
    const Align align = key ? Align::kLeft : Align::kRight;
    const int count = is_labelled(key) ? static_cast<int>(tokens(key).size()) : 0;
    const int stride = label_stride(count, pitch_, 1.06 * look_.font);
    text(key ? tr("key##axis") : tr("query##axis"), x, top_ - 0.5 * look_.font, look_.font, align,
         look_.muted);
    for (int index = 0; index < count; index += stride) {
      const Index i = tokens(key)[static_cast<std::size_t>(index)];
      const bool asked = !key && source_.options.row == i;
      const std::string shown = look_.ruler.shortened(label(key, i), Face::kSans, look_.font,
                                                      key ? right_room_ : left_room_);
      text(shown, x, middle(index) + kCapital * look_.font, look_.font, align,
           asked ? look_.selected : look_.text, asked ? Face::kSansBold : Face::kSans);
    }
  }

  void lines() {
    std::vector<WeightLine> all;
    for (const auto& [head, colour] : heads())
      for (const Pair& pair : pairs(*source_.trace.heads[static_cast<std::size_t>(head)].weights))
        all.push_back({pair, colour});
    std::erase_if(all, [&](const WeightLine& line) {
      return !std::ranges::binary_search(keys_, line.pair.col);
    });
    // The strongest are drawn last.
    std::ranges::stable_sort(all, {}, [](const WeightLine& line) { return line.pair.weight; });
    for (const WeightLine& line : all) add(line);
  }

  std::vector<Pair> pairs(const attention::Matrix& weights) const {
    const auto [row, share] = std::tie(source_.options.row, source_.options.share);
    if (row) return attention::leading_pairs(weights, *row, share);
    std::vector<Pair> pairs;
    for (const Index query : queries_)
      std::ranges::copy(attention::leading_pairs(weights, query, share), std::back_inserter(pairs));
    return pairs;
  }

  void add(const WeightLine& line) {
    const double gap = 0.5 * look_.font, bend = 0.45 * (right_ - left_ - 2 * gap);
    const auto index = [](const std::vector<Index>& tokens, Index position) {
      return std::ranges::find(tokens, position) - tokens.begin();
    };
    const double from = middle(index(queries_, line.pair.row));
    const double to = middle(index(keys_, line.pair.col));
    const double weight = std::clamp(static_cast<double>(line.pair.weight), 0.0, 1.0);
    shape::Curve curve;
    curve.from = {left_ + gap, from}, curve.towards_from = {left_ + gap + bend, from};
    curve.to = {right_ - gap, to}, curve.towards_to = {right_ - gap - bend, to};
    curve.colour = line.colour;
    curve.line = std::min(0.25 + 0.45 * look_.font * weight, 0.8 * pitch_);
    curve.opacity = 0.3 + 0.7 * weight;
    figure_.shapes.emplace_back(curve);
  }

  /// Adds a legend of the heads if there are several. Returns where it ends.
  double legend(double y) {
    if (source_.options.line_heads.empty()) return y;
    double x = edge();
    for (const auto& [head, colour] : heads()) {
      const std::string name = tr("head {}", {head_number(source_.document, head)});
      const double side = 0.7 * look_.font;
      const double wide = side + m_.label_gap + look_.ruler.width(name, Face::kSans, look_.font);
      if (x > edge() && x + wide > figure_.width - m_.margin) x = edge(), y += m_.line;
      figure_.shapes.emplace_back(shape::Fill{x, y, side, side, colour});
      text(name, x + side + m_.label_gap, y + side, look_.font, Align::kLeft, look_.muted);
      x += wide + look_.font;
    }
    return y + m_.line;
  }

  const FigureSource& source_;
  const Look& look_;
  Metrics m_;
  std::vector<Index> queries_, keys_;  // that are shown
  double top_ = 0, pitch_ = 0;
  double left_ = 0, right_ = 0, left_room_ = 0, right_room_ = 0;
  Figure figure_;
};

}  // namespace

Figure line_figure(const FigureSource& source, const Look& look, double width) {
  return LineDrawer(source, look, width).run();
}

}  // namespace lab::figure
