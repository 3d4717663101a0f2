#pragma once

#include <string_view>

#include "app/view/state/ui.h"

// The parts around the columns. Each part draws itself into the
// place it is given, reads the state, and queues what it asks for.

namespace lab::view {

/// The actions of that menu, in a popup that was begun.
void menu_items(Ui& ui, std::string_view menu);
/// The button at the right of the Model card's heading that opens the switches of every variant.
void variants_button(Ui& ui, const Rect& heading);
/// The newest message, if any, in a box over what stands above `rect`: what went wrong comes before
/// what went well.
void message_above(Ui& ui, const Rect& rect);
/// While something is computed aside: how far it is and a button that stops it, at the right of
/// `rect`; the place is cut off.
void busy_bar(Ui& ui, Rect& rect);
/// The dialog that is open, if any.
void dialogs(Ui& ui);
/// The whole window in present mode: the selected stage large, its arithmetic, and the way on.
void present_view(Ui& ui, Rect rect);

}  // namespace lab::view
