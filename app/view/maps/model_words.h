#pragma once

#include <string>
#include <vector>

#include "app/document/model/model_source.h"
#include "app/view/state/ui.h"

// The tokens of a trained model, and the answer, for its cards.

namespace lab::view {

/// What a token of the vocabulary is called, printable: "·Mary".
std::string piece_of(const Ui& ui, std::uint32_t id);

/// The other numbers are about this token after (or at) the row that is selected; choosing the same
/// one again returns to the likeliest.
void choose_answer(Ui& ui, std::uint32_t id);

/// The other numbers are about how far the answer's logit is above that of this token; choosing the
/// same one again leaves only the answer. Of the answer itself: nothing.
void compare_answer(Ui& ui, std::uint32_t id);

/// Keeps that token in the list of the next ones, or no longer.
void toggle_pin(Ui& ui, std::uint32_t id);
/// True while it is kept there.
bool is_pinned(const Ui& ui, std::uint32_t id);
/// The tokens that a person means who types `text`: the one that is called so, and the first one of
/// it as the tokenizer cuts it, with and without a blank before it; without doubles.
std::vector<std::uint32_t> matching_tokens(const ModelSource& model, const std::string& text);

/// True when the selected token can be masked: the model fills gaps, and the token was typed.
bool can_mask(const Ui& ui);
/// Puts the model's mask, such as [MASK], in place of the selected token; one undo step.
void mask_selected_token(Ui& ui);

/// True when a token can be added to the end of the text: it was typed, and the model says what
/// comes next.
bool can_append(const Ui& ui);
/// The text that the model goes on with, as it was typed, with these tokens at its end. Fails as
/// the tokenizer's decode() does. Precondition: can_append().
Expected<std::string> text_with(const ModelDocument& model,
                                const std::vector<std::uint32_t>& added);
/// Adds the text of that token to the end of the sentence; one undo step.
void append_token(Ui& ui, std::uint32_t id);

}  // namespace lab::view
