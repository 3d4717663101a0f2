#pragma once

#include "app/view/state/ui.h"

// The actions for inspecting the maps and the explanation.

namespace lab::view {

/// Copies the explanation of the selected cell as plain text, or as LaTeX.
void copy_explanation_text(Ui& ui);
/// As LaTeX.
void copy_explanation_latex(Ui& ui);

/// Pins the selected cell, or unpins it.
void pin_selected(Ui& ui);
/// Closes the enlarged card; if there is none, clears the pins and the block.
void dismiss(Ui& ui);
/// True when dismiss has something to do.
bool can_dismiss(const Ui& ui);

/// Enlarges the card of the selected stage over the centre, or restores its size.
void toggle_large(Ui& ui);
/// The same for the card of `stage`, which becomes the selected stage.
void toggle_large(Ui& ui, attention::Stage stage);
/// True while that card is enlarged.
bool is_large(const Ui& ui);

/// Zooms the map of the selected stage around the selected cell.
void zoom_in(Ui& ui);
/// Zooms out around it again.
void zoom_out(Ui& ui);
/// Shows every map whole.
void reset_zoom(Ui& ui);
/// True when a map is not shown whole.
bool is_zoomed(const Ui& ui);

// Ctrl+C: copies the selected cells, otherwise the picture of the focused card.

/// True when Ctrl+C copies cells: the Edit card's grid has the keys, or a block of a map is
/// selected and nothing else has the keys.
bool copies_cells(const Ui& ui);
/// Copies those cells to the clipboard as tab-separated text; the Edit card's block when there are
/// none.
void copy_cells(Ui& ui);

/// True when Ctrl+C copies the picture: nothing has the keys, and no cells are selected.
bool copies_picture(const Ui& ui);

}  // namespace lab::view
