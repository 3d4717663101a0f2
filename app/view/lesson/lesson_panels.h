#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The cards and dialogs of lessons. Each function draws into the given place, reads the state, and
// queues intents.

namespace lab::view {

/// The list of lessons below `anchor`, when it was requested.
void lesson_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that asks before answers are lost.
void leave_lesson_dialog(Ui& ui);
/// The content of the dialog that asks before the answers to a step are removed from it.
void restart_step_dialog(Ui& ui);
/// The content of the dialog that saves the answers, and saving them at the path in its field.
void save_answers_dialog(Ui& ui);
void accept_save_answers(Ui& ui);
/// The content of the dialog that makes a worksheet, and making it at the path in its field.
void worksheet_dialog(Ui& ui);
void accept_worksheet(Ui& ui);

}  // namespace lab::view
