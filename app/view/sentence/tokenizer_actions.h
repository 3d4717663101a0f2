#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// Splits the sentences so; new words get vectors as long as those that are there. One undo step.
void split_by(Ui& ui, const SetTokenMode& command);

/// Splits the sentences with the tokenizer of that name: a built-in one, or a file or folder. It is
/// opened in the background; errors go to ui.state.error. One undo step.
void use_tokenizer(Ui& ui, const std::string& name);

/// Asks for a tokenizer.json, in the desktop's dialog or in the window's.
void ask_tokenizer(Ui& ui);

/// True when `document` is split by a tokenizer that is open and has tokens that are not in the
/// text, such as [CLS].
bool adds_special_tokens(const Document& document);
/// Adds such tokens or leaves them out. One undo step.
void set_special_tokens(Ui& ui, bool on);

/// The dialog that asks for a tokenizer.json; accept_tokenizer() takes what is in its field.
void tokenizer_dialog(Ui& ui);
/// Reads that file and splits by it; goes into a folder that was typed.
void accept_tokenizer(Ui& ui);

}  // namespace lab::view
