#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/figure_options.h"
#include "app/figure/text/figure_text.h"

// A figure on its way: panels in lines under one title. sheet_layout gives every panel its place,
// sheet_draw turns them into shapes.

namespace lab::figure {

/// Sizes and colours that run through a figure.
struct Look {
  double font = 7;  ///< points
  bool dark = false;
  Rgb background, text, muted, line;
  Rgb accent, selected;  ///< of pins and lines, and of what is selected
  TextRuler ruler{std::string(kFigureFamily)};
};

/// The look that the options ask for, with a font of 3 … 40 points, smaller on a narrow page.
Look page_look(const FigureOptions& options);

/// The title that the options ask for, as it is shown: characters that are not seen, or that turn
/// the text around them, by their pictures and numbers; empty where it is nothing but spaces.
std::optional<std::string> asked_title(const FigureOptions& options);

/// From one line of a figure's title to the next, in fonts.
inline constexpr double kTitleLine = 1.5;

/// A cell of a map that is marked.
struct PanelMark {
  enum Kind { kOverride, kPin, kSelected } kind = kPin;
  attention::Index row = 0, column = 0;
};

/// One heat map with what belongs to it.
struct Panel {
  attention::SharedMatrix values;
  std::vector<std::string> row_labels, column_labels;
  bool number_columns = false;  ///< the column labels are 0, 1, 2 …: short, never turned
  bool square = false;          ///< cells as high as wide
  int block = 0;                ///< columns between seams; 0: no seams
  std::string title, formula;   ///< above the map; the formula is Pango markup
  std::string note;             ///< beside them where there is room: the shape
  std::string row_caption, column_caption;  ///< what rows and columns are; may be empty
  Palette palette{};
  Range range;
  bool colour_bar = true;
  std::vector<std::string> cell_texts;  ///< row by row, or none
  double number_width = 0;              ///< the room, in points, that one of them is given at least
  std::vector<PanelMark> marks;         ///< in painting order
};

/// Panels side by side: the next `count` of a sheet, in columns as wide as if there were `columns`.
struct Line {
  int count = 1;
  int columns = 1;
};

/// Panels in lines, in reading order.
struct Sheet {
  std::string title, formula;  ///< of the whole figure; may be empty
  std::vector<Panel> panels;
  std::vector<Line> lines;   ///< their counts add up to the number of panels
  bool labels_once = false;  ///< row labels only left of the first column, column labels only
                             ///< below the last panel of each; all lines have the same columns
  bool shared_bar = false;   ///< one colour bar, of the first panel, right of all
  double gap = 1;            ///< between panels, as a multiple of what Metrics says
};

/// Lengths of one panel in points; places are relative to the page.
struct PanelPlace {
  double x = 0, y = 0;  ///< top left corner of the map
  double cell_width = 0, cell_height = 0;
  double map_width = 0, map_height = 0;
  double left = 0;   ///< where the panel's own space begins
  double right = 0;  ///< where it ends, its bar included
  bool row_labels = true, column_labels = true;
  bool turned = false;  ///< column labels slant
};

/// Where everything of a sheet goes.
struct SheetPlaces {
  std::vector<PanelPlace> panels;
  double label_size = 7;           ///< points, of rows, columns and ticks
  double label_angle = 0;          ///< degrees, of column labels that are turned
  double row_label_width = 0;      ///< the room that row labels may take
  double column_label_length = 0;  ///< the room that column labels may take, along the text
  double title_lines = 0;          ///< lines above a panel: 0, 1 or 2
  double bottom = 0;               ///< where the content ends
  double indent =
      0;  ///< between the margin and the content, which stands in the middle of the page
  std::vector<std::string> heading;  ///< the lines of the sheet's title
};

/// The size of a page in points, margins included.
struct PageSize {
  double width = 0;
  double most_height = std::numeric_limits<double>::infinity();
};

/// Lays the panels out on a page, the maps smaller where it would be too high. It still is where
/// that is not enough.
SheetPlaces lay_out_sheet(const Sheet& sheet, const Look& look, const PageSize& page);

/// True when the page is not too high with maps whose rows can still be labelled.
bool has_room(const Sheet& sheet, const Look& look, const PageSize& page);

/// The room that the legend below the maps takes: 0 where there is none.
double legend_height(const Sheet& sheet, const Look& look, double width);

/// The room left free between two blocks of a panel's columns.
double seam(const Panel& panel, const PanelPlace& place);

/// The marks of a panel, to be painted over its map.
std::vector<Shape> mark_shapes(const Panel& panel, const PanelPlace& place, const Look& look);

/// The size of the numbers in a panel's cells; 0 when there are none or they do not fit.
double number_size(const Panel& panel, const PanelPlace& place, const Look& look);

/// A page of that look without anything on it yet, and without a height.
Figure empty_page(const Look& look, double width);

/// Half the height of capitals, of the size of the letters.
inline constexpr double kCapital = 0.36;

/// The page with everything on it.
Figure draw_sheet(const Sheet& sheet, const Look& look, const PageSize& page);

/// Lengths that layout and drawing share.
struct Metrics {
  double margin, line, bar_gap, bar_width, tick_gap, column_gap, row_gap, label_gap, caption;
  explicit Metrics(double font, double gap = 1)
      : margin(font * 0.6),
        line(font * 1.4),
        bar_gap(font * 0.7),
        bar_width(font * 0.8),
        tick_gap(font * 0.35),
        column_gap(font * 1.4 * gap),
        row_gap(font * 1.4 * gap),
        label_gap(font * 0.4),
        caption(font * 1.3) {}
};

/// The least distance of two labels' baselines, in label sizes.
inline constexpr double kLabelDistance = 1.06;

/// The texts of a bar's ticks from low to high: the ends and the middle.
std::vector<std::string> tick_texts(Range range);

}  // namespace lab::figure
