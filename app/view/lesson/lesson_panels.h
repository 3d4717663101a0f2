#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The cards and dialogs of lessons. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The list of lessons under `anchor`, when it was asked for.
void lesson_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that asks before answers are lost.
void leave_lesson_dialog(Ui& ui);
/// The content of the dialog that makes a worksheet; takes the path that is in its field.
void worksheet_dialog(Ui& ui);
void accept_worksheet(Ui& ui);

}  // namespace lab::view
