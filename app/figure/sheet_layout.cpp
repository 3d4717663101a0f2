#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figure/figure_text.h"
#include "app/figure/number_text.h"
#include "app/figure/sheet.h"

namespace lab {
namespace {

using shape::Face;

constexpr double kLargestCell = 8;       // in fonts
constexpr double kSmallestMapSide = 2;   // in fonts
constexpr double kSmallestLabel = 0.72;  // of the font: 5 points where the font has 7

const double kSlant = kLabelAngle * std::numbers::pi / 180;

/// Works out one sheet; the steps are run in the order of the functions.
class Layouter {
 public:
  Layouter(const Sheet& sheet, const Look& look, double width)
      : sheet_(sheet), font_(look.font), m_(look.font), width_(width) {
    places_.panels.resize(sheet.panels.size());
    places_.label_size = font_;
  }

  SheetPlaces run() {
    find_bars();
    // The labels' size follows from the cells' height, which follows from the room labels leave.
    for (int pass = 0; pass < 2; ++pass) {
      find_columns();
      find_cells();
      find_label_size();
    }
    find_titles();
    find_column_labels();
    place_lines();
    return places_;
  }

 private:
  double bar_room(const Panel& panel) const {
    return m_.bar_gap + m_.bar_width + m_.tick_gap +
           widest(tick_texts(panel.range), Face::kSans, font_);
  }

  void find_bars() {
    for (const Panel& panel : sheet_.panels)
      if (panel.colour_bar) bar_room_ = std::max(bar_room_, bar_room(panel));
    if (sheet_.shared_bar) shared_bar_room_ = bar_room(sheet_.panels.front());
  }

  /// The room left of a map and the widest a map can be, the same for every column.
  void find_columns() {
    const int columns = sheet_.columns;
    const double inside = width_ - 2 * m_.margin - shared_bar_room_;
    const double pitch = (inside + m_.column_gap) / columns - m_.column_gap;
    double labels = 0, caption = 0;
    for (const Panel& panel : sheet_.panels) {
      labels = std::max(labels, widest(panel.row_labels, Face::kSans, places_.label_size));
      if (!panel.row_caption.empty()) caption = m_.caption;
    }
    const double most = (sheet_.labels_once ? 0.3 * inside : 0.38 * pitch) - caption;
    places_.row_label_width = std::clamp(labels, 0.0, std::max(0.0, most));
    left_room_ = caption + places_.row_label_width + m_.label_gap;
    const double taken = left_room_ * (sheet_.labels_once ? 1 : columns) + bar_room_ * columns +
                         m_.column_gap * (columns - 1);
    map_room_ = std::max(1.0, (inside - taken) / columns);
  }

  void find_cells() {
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i) {
      const Panel& panel = sheet_.panels[i];
      PanelPlace& place = places_.panels[i];
      const double rows = static_cast<double>(panel.values->rows());
      const double columns = static_cast<double>(panel.values->cols());
      const double tallest = 1.35 * std::max(map_room_, 12 * font_) / rows;
      double w = std::min(map_room_ / columns, kLargestCell * font_);
      double h = std::min(w, tallest);
      if (panel.square)
        w = h;
      else
        h = std::min(
            {std::clamp(w, font_ * 1.1, font_ * 2), 4 * std::max(w, font_ * 0.3), tallest});
      // A long thin map may stretch, so that there is something to see.
      w = std::max(w, std::min(kSmallestMapSide * font_, map_room_) / columns);
      h = std::max(h, kSmallestMapSide * font_ / rows);
      place.cell_width = w, place.cell_height = h;
      place.map_width = w * columns, place.map_height = h * rows;
    }
  }

  void find_label_size() {
    double smallest = font_;
    for (const PanelPlace& place : places_.panels)
      smallest = std::min(smallest, place.cell_height / 1.1);
    places_.label_size = std::max(smallest, font_ * kSmallestLabel);
  }

  double title_width(const Panel& panel) const {
    shape::Text formula;
    formula.text = panel.formula, formula.markup = true, formula.face = Face::kSerifItalic;
    formula.size = font_;
    return text_width(panel.title, Face::kSansBold, font_) + font_ * 0.7 + text_width(formula);
  }

  void find_titles() {
    const double room = left_room_ + map_room_ + bar_room_;
    for (const Panel& panel : sheet_.panels) {
      if (panel.title.empty()) continue;
      const bool fits = panel.formula.empty() || title_width(panel) <= room;
      places_.title_lines = std::max(places_.title_lines, fits ? 1.0 : 2.0);
    }
  }

  /// Level labels where all fit between their neighbours, or where there are only numbers.
  void find_column_labels() {
    const double longest = std::min(12 * font_, 0.6 * (left_room_ + map_room_));
    for (std::size_t i = 0; i < sheet_.panels.size(); ++i) {
      const Panel& panel = sheet_.panels[i];
      const double width = widest(panel.column_labels, Face::kSans, places_.label_size);
      PanelPlace& place = places_.panels[i];
      place.turned = !panel.number_columns && width + 0.5 * places_.label_size > place.cell_width;
      if (place.turned)
        places_.column_label_length =
            std::max(places_.column_label_length, std::min(width, longest));
    }
  }

  bool is_last_of_column(std::size_t i) const {
    return i + static_cast<std::size_t>(sheet_.columns) >= sheet_.panels.size();
  }

  double below(const Panel& panel, const PanelPlace& place) const {
    double height = 0;
    if (place.column_labels)
      height = place.turned ? m_.label_gap + std::sin(kSlant) * places_.column_label_length +
                                  0.3 * places_.label_size
                            : m_.label_gap + places_.label_size;
    return panel.column_caption.empty() ? height : height + m_.caption;
  }

  void place_lines() {
    double y = m_.margin;
    if (!sheet_.title.empty()) y += m_.line * 1.35;
    const auto columns = static_cast<std::size_t>(sheet_.columns);
    for (std::size_t first = 0; first < sheet_.panels.size(); first += columns) {
      if (first > 0)
        y += sheet_.labels_once && places_.title_lines == 0 ? m_.label_gap : m_.row_gap;
      y = place_line(first, std::min(first + columns, sheet_.panels.size()), y);
    }
    places_.bottom = y;
  }

  /// Places panels first … last − 1 side by side from `top`; returns where they end.
  double place_line(std::size_t first, std::size_t last, double top) {
    const double y = top + m_.line * places_.title_lines + 0.1 * font_;
    double bottom = y;
    for (std::size_t i = first; i < last; ++i) {
      PanelPlace& place = places_.panels[i];
      const double k = static_cast<double>(i - first);
      const double step =
          map_room_ + bar_room_ + m_.column_gap + (sheet_.labels_once ? 0 : left_room_);
      place.row_labels = !sheet_.labels_once || i == first;
      place.column_labels = !sheet_.labels_once || is_last_of_column(i);
      place.x = m_.margin + left_room_ + k * step;
      place.y = y;
      place.left = sheet_.labels_once ? place.x : place.x - left_room_;
      place.right = place.x + map_room_ + bar_room_;
      bottom = std::max(bottom, y + place.map_height + below(sheet_.panels[i], place));
    }
    return bottom;
  }

  const Sheet& sheet_;
  double font_;
  Metrics m_;
  double width_;
  double bar_room_ = 0;         // right of every map
  double shared_bar_room_ = 0;  // right of all maps
  double left_room_ = 0;        // left of every map
  double map_room_ = 0;         // the widest a map can be
  SheetPlaces places_;
};

}  // namespace

std::vector<std::string> tick_texts(Range range) {
  const auto middle = static_cast<float>((static_cast<double>(range.lo) + range.hi) / 2);
  return {format_significant(range.lo, 3), format_significant(middle, 3),
          format_significant(range.hi, 3)};
}

SheetPlaces lay_out_sheet(const Sheet& sheet, const Look& look, double width) {
  return Layouter(sheet, look, width).run();
}

}  // namespace lab
