#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

/// A matrix as a heat map with labels and marks.
struct HeatMap {
  std::string name;  ///< stable name; its cells are `name/row/col`
  attention::SharedMatrix matrix;
  attention::Stage stage = attention::Stage::kX;  ///< determines palette and range
  bool difference = false;                        ///< of two matrices of that stage: signed colours
  std::optional<figure::Range> range;             ///< of the colours; none: the stage's own range
  std::function<std::string(attention::Index)> row_label;
  std::function<std::string(attention::Index)> col_label;  ///< none: no column labels
  /// Whether the token of a row or column is of a chat template: its label is muted; none: no.
  std::function<bool(attention::Index)> row_is_of_template, col_is_of_template;
  float label_points = 11.5f;  ///< size of the labels; smaller where rows are low
  bool colour_bar = true;
  bool values_inside = true;        ///< numbers in cells that are large enough
  bool interactive = true;          ///< handles the pointer and names its cells
  attention::Index seam_every = 0;  ///< a wider gap after every this many columns; 0: none
  std::optional<attention::Index> marked_row;
  std::optional<attention::Index> marked_col;  ///< its label is marked
  std::optional<attention::Index> framed_col;  ///< the whole column is framed
  std::optional<Cell> marked_cell;
  std::vector<attention::Index> missing_rows, missing_cols;  ///< left empty: they have no numbers
  std::vector<Cell> overridden;                              ///< marked with a small corner
  std::vector<CellBlock>
      highlight;  ///< highlighted, because related to the cell that is pointed at
  std::vector<Cell> pinned;
  std::optional<CellBlock> block;        ///< the selected block
  files::MatrixRegion region;            ///< the visible part of the matrix
  std::vector<std::string> range_notes;  ///< describe the range when it is not the default one
};

/// What the pointer does to a heat map.
struct HeatMapInput {
  Rect plot;   ///< where the cells are
  Rect whole;  ///< where all of them would be; larger than the plot when it is zoomed
  std::optional<Cell> hovered;
  std::optional<Cell> clicked;
  bool entered = false;  ///< the keyboard enters it
  Rect bar{};            ///< the colour bar with its numbers; empty without one
};

/// Draws the map into `rect` and returns the pointer's input.
HeatMapInput heat_map(Ui& ui, const Rect& rect, const HeatMap& map);

/// The cell of a [rows × cols] map drawn in `plot` that is nearest to `point`.
Cell cell_at(const Rect& plot, attention::Shape shape, ImVec2 point);

/// The rectangle of one cell of a [rows × cols] map drawn in `plot`, in whole pixels.
Rect cell_rect(const Rect& plot, attention::Shape shape, Cell cell);

/// The width in pixels of the gap between the columns of two heads that are `cell` pixels wide
/// each: never so wide that it hides them, and 0 when they are narrow. `widest`: its width when
/// there is room.
float seam_width(float cell, float widest);

/// The stage whose palette the map uses; differences are signed, like scores.
attention::Stage colour_stage(const HeatMap& map);

/// The palette of a stage.
figure::Palette shown_palette(const Ui& ui, attention::Stage stage);

/// Text colour for a cell of that value: dark or light by the luminance of its fill.
figure::Rgb ink_on(const Ui& ui, attention::Stage stage, figure::Range range, float value);

}  // namespace lab::view
