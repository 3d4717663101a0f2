#pragma once

#include "app/figure/figure_options.h"
#include "app/view/state/ui.h"

// The options of the export dialog, in rows.

namespace lab::view {

/// The mode: a figure, numbers, a folder.
void export_mode_row(Ui& ui);

/// The file format of the mode, and those of the other files. The ending of the path is updated
/// with the first.
void export_format_row(Ui& ui);

/// What the figure shows, as a list.
void figure_type_rows(Ui& ui);

/// How figures look; nothing when the mode makes none.
void figure_option_rows(Ui& ui);

/// The widgets of kLookOptions that belong to `row`, within a row of the dialog.
void look_widgets(Ui& ui, figure::LookRow row);

/// What changes in the animation, the figure it is shown in, and how fast.
void motion_rows(Ui& ui);

/// Which numbers are written, one choice per line.
void number_choice_rows(Ui& ui);

/// Which tokens the figures show, under which names, and which labels and letters are written.
void token_rows(Ui& ui);

}  // namespace lab::view
