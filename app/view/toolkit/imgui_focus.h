#pragma once

#include "app/view/toolkit/rect.h"

// What Dear ImGui does with the keyboard and has no public function for.

namespace lab::view::compat {

/// True while any menu, list or dialog is open.
bool popup_is_open();
/// True while a popup or dialog, or a part of one, is being drawn.
bool in_popup();
/// Takes the keyboard away from the text field that has it, if any.
void leave_text_field();
/// Scrolls what is being drawn, and all around it, so far that `rect` is seen.
void scroll_into_view(const Rect& rect);
/// Marks the first item of a popup as the one that Enter presses.
void show_focused_item();
/// True when the item that was submitted last is the one that arrows and Tab went to.
bool is_marked_item();
/// Lets Enter press the item that the arrows went to in a popup. Dear ImGui 1.86 takes Space alone.
void press_focused_item();

}  // namespace lab::view::compat
