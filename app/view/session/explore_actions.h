#pragma once

#include <string>

#include "app/view/state/ui.h"

// The longer text over which heads of a trained model are explored.

namespace lab::view {

/// Asks for a text file.
void ask_explored_text(Ui& ui);
/// Takes the text of the clipboard; says so where there is none.
void paste_explored_text(Ui& ui);
/// Takes the pages of the user guide.
void explore_guide(Ui& ui);

/// The content of the dialog that asks for a text file, and accepting what is typed there.
void explored_text_dialog(Ui& ui);
void accept_explored_text(Ui& ui);

}  // namespace lab::view
