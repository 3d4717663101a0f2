#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The button that opens a field in which a token is typed that Next token shall always show, at
/// the left end of `row`, which it is cut off. Precondition: a trained model with a tokenizer is
/// shown.
void watch_token_button(Ui& ui, Rect& row);

}  // namespace lab::view
