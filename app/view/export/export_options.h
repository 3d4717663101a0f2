#pragma once

#include "app/view/state/ui.h"

// The options of the export dialog, in rows.

namespace lab::view {

/// The mode: a figure, numbers, a folder.
void export_mode_row(Ui& ui);

/// The file format of the mode. The ending of the path is updated with it.
void export_format_row(Ui& ui);

/// What the figure shows, one choice per line.
void figure_kind_rows(Ui& ui);

/// How figures look; nothing when the mode makes none.
void figure_option_rows(Ui& ui);

/// What changes in the animation, the figure it is shown in, and how fast.
void motion_rows(Ui& ui);

/// Which numbers are written, one choice per line.
void number_choice_rows(Ui& ui);

}  // namespace lab::view
