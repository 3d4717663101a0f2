#pragma once

#include "app/view/maps/heat_map.h"

// How the maps of the stages are read: pointed at, clicked, zoomed, moved, summed up.

namespace lab::view {

/// Gives the map of a stage what is lit, pinned and selected in it, the part that is shown, and its
/// range.
void prepare_map(Ui& ui, HeatMap& map);

/// Takes what the pointer does to the map of a stage: a click selects, with Ctrl it pins; the wheel
/// zooms around the pointer; a drag moves what is zoomed, with Shift it selects a block. To be
/// called right after heat_map.
void read_map(Ui& ui, const HeatMap& map, const HeatMapInput& input);

/// Selects the cell of `stage` and gives the keyboard to the map's cells.
void enter_map(Ui& ui, attention::Stage stage);

/// The range that the colours of `stage` stand for.
figure::Range shown_range(Ui& ui, attention::Stage stage);
/// Chooses what the ranges are; kLocked keeps those that are shown now.
void set_range_mode(Ui& ui, RangeMode mode);

/// Moves the selected cell, as far as there are cells; the part of a zoomed map follows. With
/// `extend`, the far corner of the selected block moves instead, which starts as that cell.
void move_selected_cell(Ui& ui, attention::Index rows, attention::Index cols, bool extend);

}  // namespace lab::view
