#pragma once

#include "app/view/state/ui.h"

// What the actions for reading the maps and the explanation do.

namespace lab::view {

/// Copies the explanation of the selected cell as plain text, or as LaTeX.
void copy_explanation_text(Ui& ui);
void copy_explanation_latex(Ui& ui);

/// Pins the selected cell, or unpins it.
void pin_selected(Ui& ui);
/// Closes the large card; where there is none, lets go of the pins and the block.
void let_go(Ui& ui);
/// True when let_go has something to do.
bool can_let_go(const Ui& ui);

/// Shows the card of the selected stage large over the centre, or small again.
void toggle_large(Ui& ui);
/// The same for the card of `stage`, which becomes the selected stage.
void toggle_large(Ui& ui, attention::Stage stage);
bool is_large(const Ui& ui);

/// Zooms the map of the selected stage around the selected cell.
void zoom_in(Ui& ui);
void zoom_out(Ui& ui);
/// Shows every map whole.
void reset_zoom(Ui& ui);
bool is_zoomed(const Ui& ui);

}  // namespace lab::view
