#include "app/figure/arithmetic_figure.h"

#include <sstream>

#include "app/figure/explain_text.h"
#include "app/figure/number_text.h"

namespace lab {
namespace {

using shape::Face;

/// Words that stay together on a line.
struct Word {
  std::string text;
  Face face = Face::kMono;
  Rgb colour;
};

/// Draws one calculation: words flow from left to right, lines that are too long go on below.
class ArithmeticDrawer {
 public:
  ArithmeticDrawer(const FigureSource& source, const Look& look, double width)
      : source_(source), look_(look), m_(look.font), figure_(empty_page(look, width)) {
    y_ = m_.margin;
  }

  Figure run() {
    const FigureOptions& o = source_.options;
    const auto row = o.row.value_or(0);
    const auto lines = explain_lines(source_.document, source_.trace, o.stage, o.head, row,
                                     o.column, o.significant ? 2 : o.decimals);
    title(cell_title(source_.document, o.stage, row, o.column),
          (*source_.values(o.stage, o.head))(row, o.column));
    words(cell_meaning(source_.document, o.stage, o.head, row, o.column));
    y_ += 0.5 * look_.font;
    for (std::size_t i = 0; i < lines.size(); ++i) line(lines[i], i + 1 == lines.size());
    figure_.height = y_ + m_.margin;
    return std::move(figure_);
  }

 private:
  void title(const std::string& cell, float value) {
    figure_.title = source_.options.title.value_or(cell);
    if (figure_.title.empty()) return;
    const double size = 1.2 * look_.font;
    begin_line(size);
    put({figure_.title, Face::kSansBold, look_.text}, size, 0);
    if (!source_.options.title)
      put({" = " + format_fixed(value, source_.options.decimals), Face::kSansBold, look_.selected},
          size, 0);
    end_line(1.6 * size);
  }

  void words(const std::string& sentence) {
    begin_line(look_.font);
    std::istringstream stream(sentence);
    for (std::string word; stream >> word;)
      put({word, Face::kSans, look_.muted}, look_.font, 0.28 * look_.font);
    end_line(m_.line);
  }

  void line(const ExplainLine& line, bool last) {
    begin_line(look_.font);
    put({line.name + " =", Face::kMono, look_.text}, look_.font, 0);
    for (const float value : line.values)
      put({format_fixed(value, decimals()), Face::kMono, look_.text}, look_.font, space());
    std::istringstream before(line.before);
    for (std::string word; before >> word;)
      put({word, Face::kMono, look_.text}, look_.font, space());
    if (!line.result.empty())
      put({line.result, Face::kMono, last ? look_.selected : look_.accent}, look_.font, space());
    std::istringstream after(line.after);
    double gap = look_.font;
    for (std::string word; after >> word; gap = 0.28 * look_.font)
      put({word, Face::kSans, look_.muted}, look_.font, gap);
    end_line(1.15 * m_.line);
  }

  int decimals() const { return source_.options.significant ? 2 : source_.options.decimals; }
  double space() const { return 0.6 * look_.font; }

  void begin_line(double size) {
    x_ = m_.margin;
    y_ += size;
  }

  /// Adds words after a gap, on the next line where there is no room, indented.
  void put(const Word& word, double size, double gap) {
    const double indent = m_.margin + (x_ == m_.margin ? 0 : 1.5 * look_.font);
    const double most = figure_.width - m_.margin - indent;
    const std::string text = look_.ruler.shortened(word.text, word.face, size, most);
    const double width = look_.ruler.width(text, word.face, size);
    if (x_ > m_.margin) x_ += gap;
    if (x_ + width > figure_.width - m_.margin && x_ > indent) x_ = indent, y_ += m_.line;
    figure_.shapes.emplace_back(
        shape::Text{x_, y_, text, size, word.colour, shape::Align::kLeft, word.face, 0, false});
    x_ += width;
  }

  void end_line(double height) { y_ += height - look_.font; }

  const FigureSource& source_;
  const Look& look_;
  Metrics m_;
  double x_ = 0, y_ = 0;
  Figure figure_;
};

}  // namespace

Figure arithmetic_figure(const FigureSource& source, const Look& look, double width) {
  return ArithmeticDrawer(source, look, width).run();
}

}  // namespace lab
