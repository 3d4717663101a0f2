#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The cards and dialogs of lessons. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The step of the lesson that is open.
void lesson_card(Ui& ui, const Rect& rect);
/// Offers the first lesson to a new user.
void lesson_offer(Ui& ui, const Rect& rect);
/// The list of lessons under `anchor`, when it was asked for.
void lesson_list(Ui& ui, const Rect& anchor);
/// The content of the dialog that asks before answers are lost.
void leave_lesson_dialog(Ui& ui);
/// The content of the dialog that makes a worksheet; takes the path that is in its field.
void worksheet_dialog(Ui& ui);
void accept_worksheet(Ui& ui);
float lesson_offer_height(const Ui& ui);
/// The same in a column of that width with so much room, which it may take whole where it is
/// `alone`.
float lesson_card_height(Ui& ui, float width, float room, bool alone);

}  // namespace lab::view
