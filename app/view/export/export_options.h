#pragma once

#include "app/view/state/ui.h"

// The options of the export dialog, in rows.

namespace lab::view {

/// The mode: a figure, numbers, a folder.
void export_mode_row(Ui& ui);

/// What files the mode makes. A path that ends in the format's ending follows it.
void export_format_row(Ui& ui);

/// What the figure shows, a line each.
void figure_kind_rows(Ui& ui);

/// How figures look; nothing where none are made.
void figure_option_rows(Ui& ui);

/// What moves in the animation, what it is seen in, and how fast.
void motion_rows(Ui& ui);

/// What numbers are written, a line each.
void number_choice_rows(Ui& ui);

}  // namespace lab::view
