#pragma once

#include <imgui.h>

#include "app/view/maps/heat_map.h"
#include "app/view/state/inspection.h"

// Inspecting the maps of the stages: pointing, clicking, zooming, panning, summarising.

namespace lab::view {

/// Sets the highlighted, pinned and selected cells of a stage's map, its visible part, and its
/// range.
void prepare_map(Ui& ui, HeatMap& map);

/// Handles the pointer in the map of a stage: a click selects, with Ctrl it pins; the wheel zooms
/// around the pointer; a drag pans a zoomed map, with Shift it selects a block. Call right after
/// heat_map.
void read_map(Ui& ui, const HeatMap& map, const HeatMapInput& input);

/// The same for a map that belongs to another head than the focused one, or to several: a click
/// selects and never pins, nothing is highlighted, and no number can be typed.
void read_other_map(Ui& ui, const HeatMap& map, const HeatMapInput& input);

/// True when the pointer has moved with the button down since it was pressed on a map: no click.
bool is_map_dragged(const Ui& ui);

/// Selects the cell of `stage` and gives the keyboard focus to the map's cells.
void enter_map(Ui& ui, attention::Stage stage);

/// Moves zoomed maps just far enough that the selected query and key are visible.
void show_selection(Ui& ui);

/// Moves the selected cell within the matrix; a zoomed map follows. With `extend`, moves the far
/// corner of the selected block instead, which starts as that cell.
void move_selected_cell(Ui& ui, attention::Index rows, attention::Index cols, bool extend);

/// `region` made `factor` times smaller (below 1: larger) around the point `at` of the plot, in 0 …
/// 1 of its sides. Never smaller than two cells of `shape` per side, never beyond the matrix.
files::MatrixRegion zoomed(const files::MatrixRegion& region, float factor, ImVec2 at,
                           attention::Shape shape);

/// `region` moved so that the matrix follows a drag by `by`, in 0 … 1 of the plot's sides.
files::MatrixRegion panned(const files::MatrixRegion& region, ImVec2 by);

/// `region` moved just far enough that the whole cell is visible.
files::MatrixRegion showing(const files::MatrixRegion& region, Cell cell, attention::Shape shape);

}  // namespace lab::view
