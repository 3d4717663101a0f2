#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/figure_options.h"
#include "app/figure/text/figure_text.h"

// A figure under construction: panels in lines under one title. sheet_layout positions the panels,
// sheet_draw turns them into shapes.

namespace lab::figure {

/// Options, sizes and colours used throughout a figure.
struct Look {
  FigureOptions options;  ///< what is drawn, read where it is drawn
  double font = 7;        ///< points
  Rgb background, text, muted, line;
  Rgb accent, selected;  ///< of pins and lines, and of what is selected
  TextRuler ruler{std::string(kFigureFamily)};
};

/// The look for the options, with a font of 3 … 40 points, smaller on a narrow page.
Look page_look(const FigureOptions& options);

/// The title in the options, as it is drawn: invisible characters, and those that change the
/// direction of text, as symbols or code points; empty when it consists only of spaces; nothing
/// when there is none.
std::optional<std::string> asked_title(const FigureOptions& options);

/// The distance between the lines of a title, as a multiple of the font size.
inline constexpr double kTitleLine = 1.5;
/// The same for those of a subtitle.
inline constexpr double kSubtitleLine = 1.4;

/// A cell of a map that is marked.
struct PanelMark {
  enum Type { kOverride, kPin, kSelected } type = kPin;
  attention::Index row = 0, column = 0;
};

/// One heat map and what belongs to it.
struct Panel {
  attention::SharedMatrix values;
  std::vector<std::string> row_labels, column_labels;
  bool number_columns = false;  ///< the column labels are 0, 1, 2 …: short, never turned
  bool square = false;          ///< cells as high as wide
  int block = 0;                ///< columns between seams; 0: no seams
  bool muted = false;           ///< hatched as a whole in place of its numbers
  std::string title, formula;   ///< above the map; the formula is Pango markup
  std::string note;             ///< beside them where there is room: the shape
  std::string row_caption, column_caption;  ///< what rows and columns are; may be empty
  Palette palette{};
  Range range;
  std::vector<std::string> cell_texts;  ///< row by row, or none
  bool tokens = false;           ///< they are tokens, which are cut off where they do not fit
  double number_width = 0;       ///< the room, in points, that one of them is given at least
  std::vector<PanelMark> marks;  ///< in painting order
};

/// Panels side by side: the next `count` of a sheet, in columns as wide as if there were `columns`
/// of them.
struct Line {
  int count = 1;
  int columns = 1;
};

/// The legend of a cell of −∞ where that is a masked score.
std::string masked_legend();

/// Panels in lines, in reading order.
struct Sheet {
  std::string title, formula;  ///< of the whole figure; may be empty
  std::string subtitle;        ///< below the title, in muted letters; may be empty
  std::vector<Panel> panels;
  /// Of a grid with labels_once, in place of the panels' titles: left of each line, above each
  /// column. Both or neither.
  std::vector<std::string> line_titles, column_titles;
  std::vector<Line> lines;   ///< their counts add up to the number of panels
  bool labels_once = false;  ///< row labels only left of the first column, column labels only
                             ///< below the last panel of each; all lines have the same columns
  bool shared_bar = false;   ///< one colour bar, of the first panel, right of all
  std::string minus_infinity = masked_legend();  ///< what −∞ means, for the legend
  double gap = 1;  ///< between panels, as a multiple of what Metrics says
};

/// True when each map has a separate colour bar.
inline bool has_bar_beside_each(const Sheet& sheet, const Look& look) {
  return look.options.colour_bar && !sheet.shared_bar;
}

/// `count` panels in lines of `columns`, the last of which may be shorter.
std::vector<Line> lines_of(int count, int columns);

/// How many maps that are at least that many font sizes wide fit side by side.
int fitting_columns(double width, double font, double letters);

/// Lengths of one panel in points; positions are relative to the page.
struct PanelLayout {
  double x = 0, y = 0;  ///< top left corner of the map
  double cell_width = 0, cell_height = 0;
  double map_width = 0, map_height = 0;
  double left = 0;   ///< left edge of the panel
  double right = 0;  ///< right edge of the panel, including its bar
  bool row_labels = true, column_labels = true;
  bool turned = false;  ///< column labels are slanted
};

/// The layout of a sheet.
struct SheetLayout {
  std::vector<PanelLayout> panels;
  double label_size = 7;           ///< points, of rows, columns and ticks
  double label_angle = 0;          ///< degrees, of column labels that are turned
  double row_label_width = 0;      ///< the room that row labels may take
  double line_title_width = 0;     ///< that of the titles of lines, left of it
  double column_label_length = 0;  ///< the room that column labels may take, along the text
  double title_lines = 0;          ///< lines above a panel: 0, 1 or 2
  double bottom = 0;               ///< where the content ends
  double indent = 0;  ///< between the margin and the content, which is in the middle of the page
  std::vector<std::string> heading;     ///< the lines of the sheet's title
  std::vector<std::string> subheading;  ///< the lines of its subtitle
};

/// The size of a page in points, margins included.
struct PageSize {
  double width = 0;
  double most_height = std::numeric_limits<double>::infinity();
};

/// The page that the options describe.
PageSize page_size(const FigureOptions& options);

/// Lays out the panels on a page, with smaller maps where it would become too high. If that is not
/// enough, the page is too high.
SheetLayout lay_out_sheet(const Sheet& sheet, const Look& look, const PageSize& page);

/// True when the page is not too high and map rows can still be labelled.
bool has_room(const Sheet& sheet, const Look& look, const PageSize& page);

/// The height of the legend below the maps; 0 when there is none.
double legend_height(const Sheet& sheet, const Look& look, double width);

/// The space between two blocks of columns of a panel.
double seam(const Panel& panel, const PanelLayout& layout);

/// The marks of a panel, painted over its map.
std::vector<Shape> mark_shapes(const Panel& panel, const PanelLayout& layout, const Look& look);

/// The size of the numbers in a panel's cells; 0 when there are none or they do not fit.
double number_size(const Panel& panel, const PanelLayout& layout, const Look& look);

/// An empty page with that look and no height yet.
Figure empty_page(const Look& look, double width);

/// Half the height of capital letters, as a multiple of the font size.
inline constexpr double kCapital = 0.36;

/// The page with all its shapes.
Figure draw_sheet(const Sheet& sheet, const Look& look, const PageSize& page);

/// Lengths shared by layout and drawing.
struct Metrics {
  double margin, line, bar_gap, bar_width, tick_gap, column_gap, row_gap, label_gap, caption;
  /// The lengths for a font of `font` points and gaps of `gap` times the default.
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

/// The least distance between the baselines of two labels, as a multiple of their size.
inline constexpr double kLabelDistance = 1.06;

/// The tick labels of a colour bar from low to high: the ends and the middle.
std::vector<std::string> tick_texts(const Range& range);

}  // namespace lab::figure
