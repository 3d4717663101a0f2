#pragma once

#include "app/view/state/ui.h"

// Longer texts for a model: the one over which the heads of a trained model are explored, and the
// one whose next word a network learns to say.

namespace lab::view {

/// Asks for a text file to explore.
void ask_explored_text(Ui& ui);
/// Explores the text of the clipboard; says so where there is none.
void paste_explored_text(Ui& ui);
/// Explores the pages of the user guide.
void explore_guide(Ui& ui);
/// The content of the dialog that asks for a text file to explore, and accepting what is typed
/// there.
void explored_text_dialog(Ui& ui);
/// Explores that file; goes into a folder that was typed.
void accept_explored_text(Ui& ui);

/// Asks for a text file to learn.
void ask_training_text(Ui& ui);
/// Learns the text of the clipboard; says so where there is none.
void paste_training_text(Ui& ui);
/// The content of the dialog that asks for a text file to learn, and accepting what is typed there.
void training_text_dialog(Ui& ui);
/// Reads that file in the background and learns it; goes into a folder that was typed.
void accept_training_text(Ui& ui);

}  // namespace lab::view
