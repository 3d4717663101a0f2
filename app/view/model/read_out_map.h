#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

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
