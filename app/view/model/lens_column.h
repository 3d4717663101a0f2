#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The width that the column takes beside the tiles; 0 where there is no room for it, or the model
/// has no read-out.
float lens_column_width(const Ui& ui, float card_width);

/// The heading above the rows of the column.
void lens_heading(Ui& ui, const Rect& rect);
/// What the model would answer after `layer`, for the selected token (logit lens); the answer's own
/// bar is marked.
void lens_row(Ui& ui, const Rect& rect, attention::Index layer);

}  // namespace lab::view
