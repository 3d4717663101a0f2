#pragma once

#include "app/view/state/ui.h"

// The text whose next word a network learns to say.

namespace lab::view {

/// Asks for a text file.
void ask_training_text(Ui& ui);
/// Takes the text of the clipboard; says so where there is none.
void paste_training_text(Ui& ui);

/// The content of the dialog that asks for a text file, and accepting what is typed there.
void training_text_dialog(Ui& ui);
void accept_training_text(Ui& ui);

}  // namespace lab::view
