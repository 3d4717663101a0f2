#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The button that says how the sentences are split, cut off the left of `rect`, and its menu:
/// words, characters, the built-in tokenizers, a tokenizer.json.
void tokens_button(Ui& ui, Rect& rect);

/// The most width that the button usually takes.
float tokens_button_width(const Ui& ui);

}  // namespace lab::view
