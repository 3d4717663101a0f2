#pragma once

#include <string>

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

/// A sentence: what is read out before layer `row`, or after the last one, at a token; and what a
/// click does.
std::string read_out_words(const Ui& ui, const Prediction& top, attention::Index row,
                           attention::Index token);

/// The height in pixels of read_out_map() without scrolling.
float read_out_height(const Ui& ui);

/// What would be read out before each layer and after the last one (logit lens), at every token: a
/// row for each layer from the first at the top, a column for each token, coloured by probability.
/// A click selects the token and shows the layer. Asks for the numbers, which fill in.
void read_out_map(Ui& ui, const Rect& area);

}  // namespace lab::view
