#pragma once

#include <string>

#include "app/view/state/ui.h"

// The tokens of a trained model, and the answer, for its cards.

namespace lab::view {

/// What a token of the vocabulary is called, printable: "·Mary".
std::string piece_of(const Ui& ui, std::uint32_t id);

/// The other numbers are about this token after (or at) the row that is selected; choosing the same
/// one again returns to the likeliest.
void choose_answer(Ui& ui, std::uint32_t id);

/// True when a token can be added to the end of the text: it was typed, and the model is causal.
bool can_append(const Ui& ui);
/// Adds the text of that token to the end of the sentence; one undo step.
void append_token(Ui& ui, std::uint32_t id);

}  // namespace lab::view
