#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "app/figure/compose/cell_runs.h"
#include "app/figure/compose/label_layout.h"
#include "app/figure/compose/sheet.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

/// A cell without a colour, and its entry in the legend.
struct LegendEntry {
  float value = 0;
  std::string text;
  double x = 0, end = 0;
  int line = 0;
};

bool is_nan(float v) { return std::isnan(v); }

bool any_of(const Sheet& sheet, bool (*is)(float)) {
  return std::ranges::any_of(sheet.panels, [&](const Panel& panel) {
    const attention::Matrix& values = *panel.values;
    return std::any_of(values.data(), values.data() + values.size(), is);
  });
}

/// The entries for what the maps of a sheet have, in lines of a page that is `width` points wide.
std::vector<LegendEntry> legend_of(const Sheet& sheet, const Look& look, double width) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<LegendEntry> entries;
  if (any_of(sheet, is_minus_infinity)) entries.push_back({-kInfinity, sheet.minus_infinity});
  if (std::ranges::any_of(sheet.panels, &Panel::muted))
    entries.push_back({-kInfinity, tr("muted")});
  if (any_of(sheet, is_nan)) entries.push_back({kNaN, tr("NaN, not a number")});
  const Metrics m(look.font);
  double x = 0;
  int line = 0;
  for (LegendEntry& entry : entries) {
    const double wide =
        look.font + m.label_gap + look.ruler.width(entry.text, shape::Face::kSans, look.font);
    if (x > 0 && x + wide > width - 2 * m.margin) x = 0, ++line;
    entry.x = x, entry.end = x + wide, entry.line = line;
    x += wide + 1.5 * look.font;
  }
  return entries;
}

using shape::Align;
using shape::Face;

constexpr double kSmallestNumber = 0.55;  // of the font: numbers in cells are left out below this

constexpr double kTokenShare = 0.94;  // of a cell: how wide its token may be
constexpr float kInfinite = std::numeric_limits<float>::infinity();

/// Draws one sheet.
class Drawer {
 public:
  Drawer(const Sheet& sheet, const Look& look, const PageSize& page)
      : sheet_(sheet),
        look_(look),
        m_(look.font, sheet.gap),
        layout_(lay_out_sheet(sheet, look, page)),
        slant_(layout_.label_angle * std::numbers::pi / 180),
        figure_(empty_page(look, page.width)) {
    figure_.title = sheet.title;
  }

  Figure run() {
    heading();
    grid_titles();
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i)
      panel(sheet_.panels[i], layout_.panels[i]);
    if (sheet_.shared_bar) shared_bar();
    legend();
    figure_.height = layout_.bottom + legend_height(sheet_, look_, figure_.width) + m_.margin;
    return std::move(figure_);
  }

 private:
  template <typename OneShape>
  void add(OneShape shape) {
    figure_.shapes.emplace_back(std::move(shape));
  }

  void label(const std::string& text, double x, double y, Align align, Rgb colour) {
    add(shape::Text{x, y, text, look_.font, colour, align, Face::kSans, 0, false});
  }

  /// The left edge of something of that width: over the content, or further left where there is no
  /// room.
  double left_of(double width) const {
    const double most = figure_.width - m_.margin - width;
    return std::max(m_.margin, std::min(m_.margin + layout_.indent, most));
  }

  /// The lines of the title, and the formula after the last one.
  void heading() {
    const double size = 1.2 * look_.font;
    shape::Text formula;
    formula.text = sheet_.formula, formula.markup = true, formula.face = Face::kSerifItalic;
    formula.size = look_.font;
    const double beside = sheet_.formula.empty() ? 0 : look_.ruler.width(formula) + look_.font;
    const double left =
        left_of(look_.ruler.widest(layout_.heading, Face::kSansBold, size) + beside);
    double baseline = m_.margin + size;
    for (const std::string& line : layout_.heading) {
      const bool last = &line == &layout_.heading.back();
      title(line, last ? sheet_.formula : "", left, figure_.width - m_.margin, baseline, size);
      baseline += kTitleLine * look_.font;
    }
    const double widest = look_.ruler.widest(layout_.subheading, Face::kSans, look_.font);
    baseline += layout_.heading.empty() ? -0.2 * look_.font : 0;
    for (const std::string& line : layout_.subheading) {
      label(line, left_of(widest), baseline, Align::kLeft, look_.muted);
      baseline += kSubtitleLine * look_.font;
    }
  }

  /// The titles of the lines and columns of a grid.
  void grid_titles() {
    if (sheet_.line_titles.empty()) return;
    const double gap = m_.label_gap, baseline = kCapital * look_.font;
    const auto title = [&](const std::string& text, double x, double y, Align align) {
      add(shape::Text{x, y, text, look_.font, look_.text, align, Face::kSansBold, 0, false});
    };
    std::size_t first = 0;
    for (std::size_t i = 0; i < sheet_.lines.size(); ++i) {
      const PanelLayout& layout = layout_.panels[first];
      const double labels = layout_.row_label_width > 0 ? layout_.row_label_width + gap : 0;
      title(sheet_.line_titles[i], layout.x - gap - labels,
            layout.y + layout.map_height / 2 + baseline, Align::kRight);
      first += static_cast<std::size_t>(sheet_.lines[i].count);
    }
    for (std::size_t k = 0; k < sheet_.column_titles.size(); ++k) {
      const PanelLayout& layout = layout_.panels[k];
      title(sheet_.column_titles[k], layout.x + layout.map_width / 2, layout.y - 0.5 * look_.font,
            Align::kCentre);
    }
  }

  /// A bold title and its formula from `left` to `right`; the formula goes to the next line if
  /// there is no room beside the title. Returns where the text ends.
  double title(const std::string& name, const std::string& formula, double left, double right,
               double baseline, double size) {
    if (name.empty()) return left;
    const std::string shown = look_.ruler.shortened(name, Face::kSansBold, size, right - left);
    add(shape::Text{left, baseline, shown, size, look_.text, Align::kLeft, Face::kSansBold, 0,
                    false});
    const double end = left + look_.ruler.width(shown, Face::kSansBold, size);
    shape::Text text{end + 0.6 * look_.font, baseline,           formula, look_.font, look_.muted,
                     Align::kLeft,           Face::kSerifItalic, 0,       true};
    const double width = formula.empty() ? 0 : look_.ruler.width(text);
    if (formula.empty() || width > right - left) return end;
    if (text.x + width > right) {
      if (layout_.title_lines < 2) return end;
      text.x = left, text.y += m_.line;
    }
    add(text);
    return text.x + width;
  }

  void panel(const Panel& panel, const PanelLayout& layout) {
    panel_title(panel, layout);
    heat_map(panel, layout);
    cell_texts(panel, layout);
    for (Shape& mark : mark_shapes(panel, layout, look_)) add(std::move(mark));
    labels(panel, layout);
    captions(panel, layout);
    if (has_bar_beside_each(sheet_, look_))
      colour_bar(panel, layout.x + layout.map_width + m_.bar_gap, layout.y, layout.map_height);
  }

  void panel_title(const Panel& panel, const PanelLayout& layout) {
    if (!sheet_.line_titles.empty()) return;
    const double top = layout.y - 0.1 * look_.font - m_.line * layout_.title_lines;
    const double baseline = top + look_.font;
    const double end =
        title(panel.title, panel.formula, layout.left, layout.right, baseline, look_.font);
    const double note = look_.ruler.width(panel.note, Face::kSans, layout_.label_size);
    if (panel.note.empty() || end + look_.font + note > layout.right) return;
    add(shape::Text{layout.right, baseline, panel.note, layout_.label_size, look_.muted,
                    Align::kRight, Face::kSans, 0, false});
  }

  void heat_map(const Panel& panel, const PanelLayout& layout) {
    const int columns = static_cast<int>(panel.values->cols());
    const int block = panel.block > 0 ? panel.block : columns;
    for (int first = 0; first < columns; first += block)
      map_block(panel, layout, first, std::min(block, columns - first));
  }

  /// Columns first … first + count − 1, with half a seam on both sides.
  void map_block(const Panel& panel, const PanelLayout& layout, int first, int count) {
    const double room = seam(panel, layout);
    shape::HeatMap map;
    map.x = layout.x + first * layout.cell_width + room / 2, map.y = layout.y;
    map.width = count * layout.cell_width - room, map.height = layout.map_height;
    map.values = panel.muted ? attention::Matrix::Constant(1, 1, -kInfinite)
                             : attention::Matrix(panel.values->middleCols(first, count));
    map.palette = panel.palette, map.dark = look_.options.dark, map.range = panel.range;
    map.gap = std::min(layout.cell_width, layout.cell_height) >= 3 ? 0.35 : 0;
    map.title = panel.title.empty() ? sheet_.title : panel.title;
    add(shape::Frame{map.x, map.y, map.width, map.height, look_.line, 0.4});
    add(std::move(map));
  }

  void cell_texts(const Panel& panel, const PanelLayout& layout) {
    const double size = number_size(panel, layout, look_);
    if (size <= 0) return;
    const int columns = static_cast<int>(panel.values->cols());
    for (int i = 0; i < static_cast<int>(panel.cell_texts.size()); ++i)
      cell_text(panel, layout, i / columns, i % columns, size);
  }

  void cell_text(const Panel& panel, const PanelLayout& layout, int row, int column, double size) {
    const float value = (*panel.values)(row, column);
    if (std::isnan(value) || is_minus_infinity(value)) return;
    std::string text =
        panel.cell_texts[static_cast<std::size_t>(row * panel.values->cols() + column)];
    if (panel.tokens)
      text = look_.ruler.shortened(text, Face::kSans, size, kTokenShare * layout.cell_width);
    const Rgb fill =
        colour_of(palette_table(panel.palette, look_.options.dark), panel.range, value);
    add(shape::Text{layout.x + (column + 0.5) * layout.cell_width,
                    layout.y + (row + 0.5) * layout.cell_height + kCapital * size, std::move(text),
                    size, ink_on(fill), Align::kCentre, Face::kSans, 0, false});
  }

  /// The distance required between two column labels.
  double column_distance(const Panel& panel, const PanelLayout& layout) const {
    const double size = layout_.label_size;
    if (layout.turned) return kLabelDistance * size / std::sin(slant_);
    return look_.ruler.widest(panel.column_labels, Face::kSans, size) + 0.5 * size;
  }

  /// The stride of row and column labels; the same for both if both are tokens.
  struct Strides {
    int rows, columns;
  };
  Strides strides_of(const Panel& panel, const PanelLayout& layout) const {
    const int rows = label_stride(static_cast<int>(panel.row_labels.size()), layout.cell_height,
                                  kLabelDistance * layout_.label_size);
    const int count = static_cast<int>(panel.column_labels.size());
    const double distance = column_distance(panel, layout);
    if (panel.number_columns) return {rows, number_stride(count, layout.cell_width, distance)};
    const int columns = label_stride(count, layout.cell_width, distance);
    if (panel.square) return {std::max(rows, columns), std::max(rows, columns)};
    return {rows, columns};
  }

  void labels(const Panel& panel, const PanelLayout& layout) {
    const Strides strides = strides_of(panel, layout);
    const auto rows = static_cast<int>(panel.row_labels.size());
    for (int i = 0; layout.row_labels && i < rows; i += strides.rows)
      row_label(panel.row_labels[static_cast<std::size_t>(i)], i, layout);
    const auto columns = static_cast<int>(panel.column_labels.size());
    for (int j = 0; layout.column_labels && j < columns; j += strides.columns) {
      const std::string& text = panel.column_labels[static_cast<std::size_t>(j)];
      if (text.empty()) continue;
      const double x = layout.x + (j + 0.5) * layout.cell_width;
      layout.turned ? turned_label(text, x, layout) : level_label(text, x, layout);
    }
  }

  void row_label(const std::string& text, int row, const PanelLayout& layout) {
    if (text.empty()) return;
    const double size = layout_.label_size;
    add(shape::Text{layout.x - m_.label_gap,
                    layout.y + (row + 0.5) * layout.cell_height + kCapital * size,
                    look_.ruler.shortened(text, Face::kSans, size, layout_.row_label_width), size,
                    look_.text, Align::kRight, Face::kSans, 0, false});
  }

  void level_label(const std::string& text, double x, const PanelLayout& layout) {
    const double size = layout_.label_size;
    add(shape::Text{x, layout.y + layout.map_height + m_.label_gap + 2 * kCapital * size, text,
                    size, look_.text, Align::kCentre, Face::kSans, 0, false});
  }

  /// A label that ends under the middle of its column and begins within the page.
  void turned_label(const std::string& text, double x, const PanelLayout& layout) {
    const double size = layout_.label_size;
    const double along = std::cos(slant_), across = std::sin(slant_);
    const double end_x = x + kCapital * size * across;
    const double end_y = layout.y + layout.map_height + m_.label_gap + kCapital * size * along;
    const double to_edge = end_x - m_.margin - size * across;
    const double room = along > 1e-6 ? to_edge / along : layout_.column_label_length;
    add(shape::Text{
        end_x, end_y,
        look_.ruler.shortened(text, Face::kSans, size, std::min(layout_.column_label_length, room)),
        size, look_.text, Align::kRight, Face::kSans, layout_.label_angle, false});
  }

  void captions(const Panel& panel, const PanelLayout& layout) {
    if (!panel.row_caption.empty())
      add(shape::Text{m_.margin + layout_.indent + 0.8 * look_.font,
                      layout.y + layout.map_height / 2, panel.row_caption, look_.font, look_.muted,
                      Align::kCentre, Face::kSans, 90, false});
    if (!panel.column_caption.empty())
      label(panel.column_caption, layout.x + layout.map_width / 2,
            layout_.bottom - 0.3 * look_.font, Align::kCentre, look_.muted);
  }

  /// A colour bar with its ticks; the middle tick only if it is far enough from the others.
  void colour_bar(const Panel& panel, double x, double y, double height) {
    add(shape::Frame{x, y, m_.bar_width, height, look_.line, 0.4});
    add(shape::ColourBar{x, y, m_.bar_width, height, panel.palette, look_.options.dark});
    const std::vector<std::string> ticks = tick_texts(panel.range);
    const double capitals = 2 * kCapital * layout_.label_size;
    const auto tick = [&](const std::string& text, double baseline) {
      add(shape::Text{x + m_.bar_width + m_.tick_gap, baseline, text, layout_.label_size,
                      look_.text, Align::kLeft, Face::kSans, 0, false});
    };
    tick(ticks[2], y + capitals);
    if (height >= 3.2 * layout_.label_size) tick(ticks[1], y + height / 2 + capitals / 2);
    tick(ticks[0], y + height);
  }

  void shared_bar() {
    const PanelLayout& first = layout_.panels.front();
    double right = 0, bottom = 0;
    for (const PanelLayout& layout : layout_.panels) {
      right = std::max(right, layout.x + layout.map_width);
      bottom = std::max(bottom, layout.y + layout.map_height);
    }
    const double height = std::min(bottom - first.y, 24 * look_.font);
    colour_bar(sheet_.panels.front(), right + m_.bar_gap, first.y, height);
  }

  /// The legend of the cells without a colour, if there are any.
  void legend() {
    const auto entries = legend_of(sheet_, look_, figure_.width);
    if (entries.empty()) return;
    const double left = entries.back().line > 0 ? m_.margin : left_of(entries.back().end);
    for (const LegendEntry& entry : entries)
      legend_entry(entry.value, entry.text, left + entry.x,
                   layout_.bottom + 0.8 * look_.font + entry.line * m_.line);
  }

  void legend_entry(float value, const std::string& text, double x, double y) {
    const double side = look_.font;
    const attention::Matrix cell = attention::Matrix::Constant(1, 1, value);
    add(shape::Frame{x, y, side, side, look_.line, 0.4});
    add(shape::HeatMap{x, y, side, side, cell, Palette::kBlues, look_.options.dark, {}, 0});
    label(text, x + side + m_.label_gap, y + side / 2 + kCapital * look_.font, Align::kLeft,
          look_.muted);
  }

  const Sheet& sheet_;
  const Look& look_;
  Metrics m_;
  SheetLayout layout_;
  double slant_;  // of turned column labels, in radians
  Figure figure_;
};

}  // namespace

std::string masked_legend() { return tr("−∞, masked"); }

double legend_height(const Sheet& sheet, const Look& look, double width) {
  const auto entries = legend_of(sheet, look, width);
  return entries.empty() ? 0 : 1.9 * look.font + entries.back().line * Metrics(look.font).line;
}

Figure empty_page(const Look& look, double width) {
  Figure figure;
  figure.width = width;
  figure.background = look.background;
  figure.family = look.ruler.family();
  return figure;
}

double seam(const Panel& panel, const PanelLayout& layout) {
  return panel.block > 0 ? std::min(1.6, panel.block * layout.cell_width * 0.2) : 0;
}

double number_size(const Panel& panel, const PanelLayout& layout, const Look& look) {
  if (panel.cell_texts.empty() || panel.muted) return 0;
  if (panel.tokens) return std::min(look.font, 0.75 * layout.cell_height);
  const double width =
      std::max(panel.number_width, look.ruler.widest(panel.cell_texts, Face::kSans, look.font));
  const double room = 0.8 * layout.cell_width - seam(panel, layout) / 2;
  const double size = std::min({look.font, look.font * room / width, 0.8 * layout.cell_height});
  return size < kSmallestNumber * look.font ? 0 : size;
}

Figure draw_sheet(const Sheet& sheet, const Look& look, const PageSize& page) {
  return Drawer(sheet, look, page).run();
}

}  // namespace lab::figure
