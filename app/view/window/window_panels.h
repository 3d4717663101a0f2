#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/view/state/ui.h"

// The panels, and the parts around the columns. Each function draws into the given bounds, reads
// the state, and queues intents.

namespace lab::view {

/// The actions of that menu, in the current popup.
void menu_items(Ui& ui, std::string_view menu);
/// The button at the right of the Model card's heading that opens the switches of every variant.
void variants_button(Ui& ui, const Rect& heading);
/// The newest message, if any, in a box that overlaps what is above `rect`: errors take precedence
/// over notices.
void message_above(Ui& ui, const Rect& rect);
/// A step of the frame (main_view.cpp), before the panels: finds what was detached since the last
/// message about it was answered.
void follow_detached(Ui& ui);
/// The height of the strip that says what was detached; 0 when there is nothing to say.
float detached_strip_height(const Ui& ui);
/// That strip, with buttons that undo it and that answer it.
void detached_strip(Ui& ui, const Rect& rect);
/// The height of the strip that says which program the document came from; 0 when none did.
float arrays_strip_height(const Ui& ui);
/// That strip: the program, the name of its arrays, and the choice of a layer.
void arrays_strip(Ui& ui, const Rect& rect);
/// While a job or an evaluation runs in the background: its progress and a button that stops it,
/// cut off the right of `rect`.
void busy_bar(Ui& ui, Rect& rect);
/// The content of the dialog of all keys and gestures, in groups, with a search.
void keys_dialog(Ui& ui);
/// The open dialog, if any.
void dialogs(Ui& ui);
/// The whole window in present mode: the selected stage large, its arithmetic, and the way on.
void present_view(Ui& ui, Rect rect);

/// The popup `id` of a size, if it is open, at `bounds`: a field for any number, and `choices`.
/// Enter commits the number and closes; a number that is refused stays in the field, with the
/// reason.
void size_menu(Ui& ui, const std::string& id, const Rect& bounds, SizeId size, int value,
               std::span<const int> choices);

/// The document's message about a size, with the size's name in the Model card.
std::string in_words_of_labels(const std::string& text);

/// Every panel of the window, in the order in which the keyboard goes through them and in which
/// panels of one region are stacked.
std::span<const PanelInfo* const> all_panels();

/// Draws `panel` into `rect` and names it "panel/NAME".
void draw_panel(Ui& ui, const PanelInfo& panel, const Rect& rect);
/// The same for the panel of that name. Throws std::out_of_range when there is none.
void draw_panel(Ui& ui, std::string_view name, const Rect& rect);

}  // namespace lab::view
