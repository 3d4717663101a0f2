#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/explain/number_text.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/text/figure_text.h"

namespace lab::figure {
namespace {

using shape::Face;

// In fonts:
constexpr double kLargestCell = 8;
constexpr double kSmallestMapSide = 2;
constexpr double kSmallestLabel = 0.68;
constexpr double kReadableRow = kSmallestLabel * kLabelDistance;
constexpr double kReadableMap = 10;  // of many rows

/// Lays out one sheet; the steps run in the order of the functions.
class Layouter {
 public:
  Layouter(const Sheet& sheet, const Look& look, double width, double most_map)
      : sheet_(sheet),
        ruler_(look.ruler),
        bar_beside_each_(has_bar_beside_each(sheet, look)),
        font_(look.font),
        m_(look.font, sheet.gap),
        width_(width),
        most_map_(most_map) {
    layout_.panels.resize(sheet.panels.size());
    layout_.label_size = font_;
  }

  SheetLayout run() {
    // The size of labels depends on the height of cells, which depends on the space that labels
    // leave.
    for (int pass = 0; pass < 2; ++pass) {
      find_bars();
      find_row_labels();
      for_each_line([&](const Line& line, std::size_t first) { find_cells(line, first); });
      if (pass == 0) find_label_size();
    }
    find_heading();
    centre();
    find_titles();
    find_column_labels();
    lay_out_lines();
    return layout_;
  }

 private:
  template <typename Do>
  void for_each_line(Do&& act) {
    std::size_t first = 0;
    for (const Line& line : sheet_.lines) {
      act(line, first);
      first += static_cast<std::size_t>(line.count);
    }
  }

  double bar_room(const Panel& panel) const {
    return m_.bar_gap + m_.bar_width + m_.tick_gap +
           ruler_.widest(tick_texts(panel.range), Face::kSans, layout_.label_size);
  }

  void find_bars() {
    bar_room_ = 0;
    for (const Panel& panel : sheet_.panels)
      if (bar_beside_each_) bar_room_ = std::max(bar_room_, bar_room(panel));
    const double shared = sheet_.shared_bar ? bar_room(sheet_.panels.front()) : 0;
    inside_ = width_ - 2 * m_.margin - shared;
  }

  /// The space left of a map, the same for every column.
  void find_row_labels() {
    double labels = 0, caption = 0;
    for (const Panel& panel : sheet_.panels) {
      labels = std::max(labels, ruler_.widest(panel.row_labels, Face::kSans, layout_.label_size));
      if (!panel.row_caption.empty()) caption = m_.caption;
    }
    const double most = sheet_.labels_once ? 0.3 * inside_ : 0.34 * inside_ / most_columns();
    layout_.row_label_width = std::clamp(labels, 0.0, std::max(0.0, most - caption));
    layout_.line_title_width = ruler_.widest(sheet_.line_titles, Face::kSansBold, font_);
    const double titles = sheet_.line_titles.empty() ? 0 : layout_.line_title_width + m_.label_gap;
    left_room_ = caption + titles + layout_.row_label_width + m_.label_gap;
  }

  int most_columns() const {
    int columns = 1;
    for (const Line& line : sheet_.lines) columns = std::max(columns, line.columns);
    return columns;
  }

  /// The widest a map in the line can be.
  double map_room(const Line& line) const {
    const double taken = left_room_ * (sheet_.labels_once ? 1 : line.columns) +
                         bar_room_ * line.columns + m_.column_gap * (line.columns - 1);
    return std::clamp((inside_ - taken) / line.columns, 1.0, std::max(1.0, widest_));
  }

  void find_cells(const Line& line, std::size_t first) {
    const double room = map_room(line);
    for (std::size_t i = first; i < first + static_cast<std::size_t>(line.count); ++i)
      layout_.panels[i] = cells_of(sheet_.panels[i], room);
  }

  /// The size of the cells and the map in a panel that is at most `room` points wide.
  PanelLayout cells_of(const Panel& panel, double room) const {
    const double rows = static_cast<double>(panel.values->rows());
    const double columns = static_cast<double>(panel.values->cols());
    const double tallest = std::min(1.35 * std::max(room, 12 * font_), most_map_) / rows;
    double w = std::min(room / columns, kLargestCell * font_);
    double h = std::min(w, tallest);
    if (panel.square)
      w = h;
    else
      h = std::min({row_height(w), 4 * std::max(w, 0.3 * font_), tallest});
    // A long thin map may stretch, so that there is something to see.
    w = std::max(w, std::min(kSmallestMapSide * font_, room) / columns);
    h = std::max(h, kSmallestMapSide * font_ / rows);
    PanelLayout layout;
    layout.cell_width = w, layout.cell_height = h;
    layout.map_width = w * columns, layout.map_height = h * rows;
    return layout;
  }

  /// Rows of features are as high as their labels need, and a little higher for a single map.
  double row_height(double cell_width) const {
    const double most = sheet_.panels.size() == 1 ? 2 : 1.25;
    return std::clamp(cell_width, 1.1 * font_, most * font_);
  }

  void find_label_size() {
    double smallest = font_;
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i) {
      const PanelLayout& layout = layout_.panels[i];
      smallest = std::min(smallest, layout.cell_height / kLabelDistance);
      if (!sheet_.panels[i].number_columns)
        smallest = std::min(smallest, layout.cell_width / kLabelDistance);
    }
    layout_.label_size = std::max(smallest, font_ * kSmallestLabel);
  }

  double title_width(const Panel& panel) const {
    if (panel.title.empty() || !sheet_.line_titles.empty()) return 0;
    shape::Text formula;
    formula.text = panel.formula, formula.markup = true, formula.face = Face::kSerifItalic;
    formula.size = font_;
    return ruler_.width(panel.title, Face::kSansBold, font_) + font_ * 0.7 + ruler_.width(formula);
  }

  void find_heading() {
    const double room = width_ - 2 * m_.margin;
    if (!sheet_.title.empty())
      layout_.heading = wrapped(ruler_, sheet_.title, Face::kSansBold, 1.2 * font_, room);
    if (!sheet_.subtitle.empty())
      layout_.subheading = wrapped(ruler_, sheet_.subtitle, Face::kSans, font_, room);
  }

  /// The height of title and subtitle, with the space below them.
  double heading_height() const {
    const auto lines = [](const std::vector<std::string>& texts) {
      return static_cast<double>(texts.size());
    };
    double height = lines(layout_.subheading) * kSubtitleLine * font_;
    if (!layout_.heading.empty())
      height += m_.line * 1.35 + (lines(layout_.heading) - 1) * kTitleLine * font_;
    return height;
  }

  /// Maps that do not fill the page are centred side by side. Those with their own labels each have
  /// a column of equal width.
  void centre() {
    if (!sheet_.labels_once && most_columns() > 1) return;
    const double room = map_room(sheet_.lines.front());
    double widest = 0;
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i)
      widest = std::max({widest, layout_.panels[i].map_width, title_width(sheet_.panels[i])});
    widest_ = widest;
    layout_.indent = (room - map_room(sheet_.lines.front())) * most_columns() / 2;
  }

  void find_titles() {
    for_each_line([&](const Line& line, std::size_t first) {
      const double room = (sheet_.labels_once ? 0 : left_room_) + map_room(line) + bar_room_;
      for (std::size_t i = first; i < first + static_cast<std::size_t>(line.count); ++i)
        layout_.title_lines = std::max(layout_.title_lines, title_lines(sheet_.panels[i], room));
    });
  }

  double title_lines(const Panel& panel, double room) const {
    if (panel.title.empty() || !sheet_.line_titles.empty()) return 0;
    return panel.formula.empty() || title_width(panel) <= room ? 1 : 2;
  }

  /// Horizontal labels if all fit between their neighbours or they are only numbers; else slanted
  /// ones, or vertical ones if only those all fit.
  void find_column_labels() {
    const double size = layout_.label_size;
    double longest = 0, narrowest = 1e9;
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i) {
      const Panel& panel = sheet_.panels[i];
      PanelLayout& layout = layout_.panels[i];
      const double width = ruler_.widest(panel.column_labels, Face::kSans, size);
      layout.turned = !panel.number_columns && width + 0.5 * size > layout.cell_width;
      if (!layout.turned) continue;
      longest = std::max(longest, width);
      narrowest = std::min(narrowest, layout.cell_width);
    }
    const double distance = kLabelDistance * size;
    const bool upright = narrowest >= distance && narrowest < distance / std::sin(kSlant);
    layout_.label_angle = upright ? 90 : kSlantDegrees;
    layout_.column_label_length = std::min({longest, 12 * font_, 0.36 * inside_ / most_columns()});
  }

  bool is_last_of_column(std::size_t i) const {
    return i + static_cast<std::size_t>(sheet_.lines.front().columns) >= sheet_.panels.size();
  }

  double below(const Panel& panel, const PanelLayout& layout) const {
    const double radians = layout_.label_angle * std::numbers::pi / 180;
    double height = 0;
    if (layout.column_labels && !panel.column_labels.empty())
      height = m_.label_gap + (layout.turned ? std::sin(radians) * layout_.column_label_length +
                                                   0.3 * layout_.label_size
                                             : layout_.label_size);
    return panel.column_caption.empty() ? height : height + m_.caption;
  }

  void lay_out_lines() {
    double y = m_.margin + heading_height();
    if (!sheet_.column_titles.empty()) y += m_.line;
    const double between = sheet_.labels_once ? m_.label_gap * sheet_.gap : m_.row_gap;
    for_each_line([&](const Line& line, std::size_t first) {
      if (first > 0) y += sheet_.line_titles.empty() ? between : m_.column_gap;
      y = lay_out_line(line, first, y);
    });
    layout_.bottom = std::max(y, lowest_);
  }

  /// True when the labels below panel i may overlap the next line, which does not extend that far:
  /// horizontal labels, or slanted ones that do not extend into the panel on the left.
  bool labels_hang(std::size_t i) const {
    const auto in_last = static_cast<std::size_t>(sheet_.lines.back().count);
    if (!sheet_.labels_once || i + in_last >= sheet_.panels.size()) return false;
    const double along = std::cos(layout_.label_angle * std::numbers::pi / 180);
    const double reach = along * layout_.column_label_length;
    return !layout_.panels[i].turned || reach <= bar_room_ + m_.column_gap;
  }

  /// Lays out the panels of a line side by side from `top`; returns where they end.
  double lay_out_line(const Line& line, std::size_t first, double top) {
    const double y = top + m_.line * layout_.title_lines + 0.1 * font_;
    const double room = map_room(line);
    const double step = room + bar_room_ + m_.column_gap + (sheet_.labels_once ? 0 : left_room_);
    double bottom = y;
    for (int k = 0; k < line.count; ++k) {
      const std::size_t i = first + static_cast<std::size_t>(k);
      PanelLayout& layout = layout_.panels[i];
      layout.row_labels = !sheet_.labels_once || k == 0;
      layout.column_labels = !sheet_.labels_once || is_last_of_column(i);
      layout.x = m_.margin + layout_.indent + left_room_ + k * step;
      layout.y = y;
      layout.left = sheet_.labels_once ? layout.x : layout.x - left_room_;
      layout.right = layout.x + room + bar_room_;
      const double end = y + layout.map_height + below(sheet_.panels[i], layout);
      bottom = std::max(bottom, labels_hang(i) ? y + layout.map_height : end);
      lowest_ = std::max(lowest_, end);
    }
    return bottom;
  }

  static constexpr double kSlantDegrees = 50;
  static constexpr double kSlant = kSlantDegrees * std::numbers::pi / 180;

  const Sheet& sheet_;
  const TextRuler& ruler_;
  bool bar_beside_each_;
  double font_;
  Metrics m_;
  double width_;
  double most_map_;                                          // the height that no map may surpass
  double widest_ = std::numeric_limits<double>::infinity();  // what a map or its title needs
  double inside_ = 0;     // between the margins, less the shared bar
  double bar_room_ = 0;   // right of every map
  double left_room_ = 0;  // left of every map
  double lowest_ = 0;     // where the lowest panel ends, its labels included
  SheetLayout layout_;
};

/// The lowest end of the content that leaves space for the legend and the margin.
double lowest_content(const Sheet& sheet, const Look& look, const PageSize& page) {
  return page.most_height - legend_height(sheet, look, page.width) - Metrics(look.font).margin;
}

}  // namespace

std::vector<std::string> tick_texts(const Range& range) {
  std::vector<std::string> texts;
  for (const double share : {0.0, 0.5, 1.0})
    texts.push_back(
        explain::with_minus_signs(explain::format_significant(value_at(range, share), 3)));
  return texts;
}

std::vector<Line> lines_of(int count, int columns) {
  std::vector<Line> lines;
  for (int left = count; left > 0; left -= columns)
    lines.push_back({std::min(left, columns), columns});
  return lines;
}

int fitting_columns(double width, double font, double letters) {
  return std::max(1, static_cast<int>(0.7 * width / (font * letters)));
}

SheetLayout lay_out_sheet(const Sheet& sheet, const Look& look, const PageSize& page) {
  const auto with_maps = [&](double most_map) {
    return Layouter(sheet, look, page.width, most_map).run();
  };
  const double lowest = lowest_content(sheet, look, page);
  SheetLayout preferred = with_maps(page.most_height);
  if (preferred.bottom <= lowest) return preferred;
  constexpr int kSteps = 14;  // each halves what is not known yet of the height of the maps
  double fits = 0, too_high = page.most_height;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (fits + too_high) / 2;
    (with_maps(middle).bottom <= lowest ? fits : too_high) = middle;
  }
  return with_maps(fits);
}

bool has_room(const Sheet& sheet, const Look& look, const PageSize& page) {
  double least = 0;
  for (const Panel& panel : sheet.panels)
    least = std::max(least, kReadableRow * static_cast<double>(panel.values->rows()));
  const double most_map = std::min(least, kReadableMap) * look.font;
  return Layouter(sheet, look, page.width, most_map).run().bottom <=
         lowest_content(sheet, look, page);
}

}  // namespace lab::figure
