#include "app/figure/compose/stage_sheet.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>

#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/figure/text/figure_text.h"

namespace lab::figure {
namespace {

using shape::Align;
using shape::Face;

/// A text that is not broken.
struct Segment {
  std::string text;
  Face face = Face::kMono;
  Rgb colour;
};

constexpr double kMostName = 0.45;  // of the page's width

/// Lines whose numbers are aligned column by column: factors and their products. A line without
/// such numbers is a separate block.
using Block = std::span<const explain::ExplainLine>;

std::vector<Block> blocks_of(const std::vector<explain::ExplainLine>& lines) {
  std::vector<Block> blocks;
  for (auto first = lines.begin(); first != lines.end();) {
    const auto other = [&](const explain::ExplainLine& line) {
      return line.values.size() != first->values.size() || line.values.empty();
    };
    const auto end = std::find_if(first + 1, lines.end(), other);
    blocks.emplace_back(first, end);
    first = end;
  }
  return blocks;
}

/// Draws one calculation: numbers are aligned vertically, words flow from left to right and wrap.
/// Names have a separate column.
class ArithmeticDrawer {
 public:
  ArithmeticDrawer(const FigureSource& source, const Look& look, double width)
      : source_(source), look_(look), m_(look.font), figure_(empty_page(look, width)) {
    y_ = m_.margin;
  }

  Figure run() {
    const FigureOptions& o = source_.options;
    const auto row = o.row.value_or(0);
    const int least = o.significant ? 2 : o.decimals;
    const explain::Decimals requested{least, o.exact ? least : explain::Decimals().most,
                                      o.exact ? least : explain::Decimals().exact};
    const auto lines = explain::explain_lines(source_.document, source_.trace, o.stage, o.head, row,
                                              o.column, requested);
    shown_ = lines.back();
    title(explain::cell_title(source_.document, o.stage, row, o.column),
          (*source_.values(o.stage, o.head))(row, o.column));
    words(explain::cell_meaning(source_.document, o.stage, o.head, row, o.column));
    y_ += 0.5 * look_.font;
    lay_out_names(lines);
    for (const Block block : blocks_of(lines))
      block.front().values.empty() ? line(block.front(), block.data() == &lines.back())
                                   : numbers(block);
    figure_.height = y_ + m_.margin;
    return std::move(figure_);
  }

 private:
  void title(const std::string& cell, float value) {
    figure_.title = asked_title(source_.options).value_or(cell);
    if (figure_.title.empty()) return;
    const double size = 1.2 * look_.font, room = figure_.width - 2 * m_.margin;
    double down = size;
    for (const std::string& line :
         wrapped(look_.ruler, figure_.title, Face::kSansBold, size, room)) {
      begin_line(down);
      put({line, Face::kSansBold, look_.text}, size, 0);
      down = kTitleLine * look_.font;
    }
    if (!source_.options.title)
      put({" = " + number(shown_, value), Face::kSansBold, look_.selected}, size, 0);
    end_line(1.6 * size);
  }

  void words(const std::string& sentence) {
    begin_line(look_.font);
    std::istringstream stream(sentence);
    for (std::string word; stream >> word;)
      put({word, Face::kSans, look_.muted}, look_.font, 0.28 * look_.font);
    end_line(m_.line);
  }

  void lay_out_names(const std::vector<explain::ExplainLine>& lines) {
    for (const explain::ExplainLine& line : lines)
      names_ = std::max(names_, look_.ruler.width(line.name, Face::kMono, look_.font));
    names_ = std::min(names_, kMostName * figure_.width);
  }

  /// The left edge of the right-hand sides.
  double after_names() const {
    return m_.margin + names_ + 2 * space() + look_.ruler.width("=", Face::kMono, look_.font);
  }

  /// Begins a line with its name; its right-hand side is drawn beside all names.
  void begin_named(const explain::ExplainLine& line) {
    begin_line(look_.font);
    const std::string name = look_.ruler.shortened(line.name, Face::kMono, look_.font, names_);
    put({name, Face::kMono, look_.text}, look_.font, 0);
    x_ = m_.margin + names_;
    put({"=", Face::kMono, look_.text}, look_.font, space());
    indent_ = after_names();
  }

  double widest_number(Block block) const {
    double width = 0;
    for (const explain::ExplainLine& line : block)
      for (const float value : line.values)
        width = std::max(width, look_.ruler.width(number(line, value), Face::kMono, look_.font));
    return width;
  }

  /// Draws the lines below each other, as many of their columns at a time as fit.
  void numbers(Block block) {
    const double room = figure_.width - m_.margin - after_names() + space();
    const double step = std::min(widest_number(block) + space(), room);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / step + 1e-9)));
    const std::size_t count = block.front().values.size();
    for (std::size_t first = 0; first < count; first += fitting) {
      if (first > 0) y_ += 0.4 * look_.font;
      for (const explain::ExplainLine& line : block)
        row(line, first, std::min(first + fitting, count), step);
    }
  }

  void row(const explain::ExplainLine& line, std::size_t first, std::size_t end, double step) {
    begin_named(line);
    for (std::size_t i = first; i < end; ++i)
      figure_.shapes.emplace_back(
          shape::Text{after_names() + static_cast<double>(i - first + 1) * step - space(), y_,
                      look_.ruler.shortened(number(line, line.values[i]), Face::kMono, look_.font,
                                            step - space()),
                      look_.font, look_.text, Align::kRight, Face::kMono, 0, false});
    end_line(1.15 * m_.line);
  }

  void line(const explain::ExplainLine& line, bool last) {
    begin_named(line);
    std::istringstream before(explain::with_minus_signs(line.before));
    for (std::string word; before >> word;)
      put({word, Face::kMono, look_.text}, look_.font, space());
    if (!line.result.empty())
      put({explain::with_minus_signs(line.result), Face::kMono,
           last ? look_.selected : look_.accent},
          look_.font, space());
    std::istringstream after(explain::with_minus_signs(line.after));
    double gap = look_.font;
    for (std::string word; after >> word; gap = 0.28 * look_.font)
      put({word, Face::kSans, look_.muted}, look_.font, gap);
    end_line(1.15 * m_.line);
  }

  static std::string number(const explain::ExplainLine& line, float value) {
    return explain::with_minus_signs(explain::number_in(line, value));
  }
  double space() const { return 0.6 * look_.font; }

  void begin_line(double size) {
    x_ = m_.margin;
    indent_ = m_.margin + 1.5 * look_.font;
    y_ += size;
  }

  /// Adds words after a gap, or indented on the next line if there is no room.
  void put(const Segment& word, double size, double gap) {
    const double indent = x_ == m_.margin ? m_.margin : indent_;
    const double most = figure_.width - m_.margin - indent;
    const std::string text = look_.ruler.shortened(word.text, word.face, size, most);
    const double width = look_.ruler.width(text, word.face, size);
    if (x_ > m_.margin) x_ += gap;
    if (x_ + width > figure_.width - m_.margin && x_ > indent) x_ = indent, y_ += m_.line;
    figure_.shapes.emplace_back(
        shape::Text{x_, y_, text, size, word.colour, Align::kLeft, word.face, 0, false});
    x_ += width;
  }

  void end_line(double height) { y_ += height - look_.font; }

  const FigureSource& source_;
  const Look& look_;
  Metrics m_;
  double x_ = 0, y_ = 0;
  double indent_ = 0;           // where lines go on
  double names_ = 0;            // the width of the column of names
  explain::ExplainLine shown_;  // the line of the cell itself
  Figure figure_;
};

}  // namespace

Figure arithmetic_figure(const FigureSource& source, const Look& look, double width) {
  return ArithmeticDrawer(source, look, width).run();
}

}  // namespace lab::figure
