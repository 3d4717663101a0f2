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
/// comes next. In a conversation it begins the assistant's turn, after one of the user.
bool can_append(const Ui& ui);
/// True when the model can go on with the text; also with the last turn of a conversation, if that
/// is the assistant's.
bool can_go_on(const Ui& ui);
/// Opens the popup at the list of the next tokens in which it goes on.
void ask_go_on(Ui& ui);
/// The command that adds these tokens to the end of the text that the model goes on with; in a
/// conversation as what the assistant says, after `prompt` (see answer_prompt()). Fails as the
/// tokenizer's decode() does. Precondition: can_go_on().
Expected<Command> command_to_add(const ModelDocument& model, const ModelText& prompt,
                                 const std::vector<std::uint32_t>& added);
/// Adds the text of that token to the end of the sentence; one undo step.
void append_token(Ui& ui, std::uint32_t id);

}  // namespace lab::view
