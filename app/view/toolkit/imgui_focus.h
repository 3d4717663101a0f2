#pragma once

#include "app/view/toolkit/rect.h"

// Keyboard behaviour of Dear ImGui for which it has no public function.

namespace lab::view::compat {

/// True while any menu, list or dialog is open.
bool popup_is_open();
/// True while a popup or dialog, or a part of one, is being drawn.
bool in_popup();
/// Gives the keyboard focus to the item that is drawn next, or `offset` items later (−1: the last
/// one), in the next frame.
void give_keyboard(int offset);
/// True while a text field has the keyboard focus. ImGui's own WantTextInput still says so in the
/// frame after the field was left, in which keys already belong to others.
bool text_field_has_keys();
/// Removes the keyboard focus from the active text field, if any.
void leave_text_field();
/// Scrolls the current window and its parents until `rect` is visible.
void scroll_into_view(const Rect& rect);
/// Scrolls the current window by that many pixels, or the one around it that can scroll.
void scroll_by(float pixels);
/// Scrolls the current window by its keys: arrows by `step` pixels, Page Up and Page Down by its
/// height less that, and, unless text is being typed, Home and End.
void scroll_by_keys(float step);
/// Highlights the first item of a popup as the one that Enter presses.
void show_focused_item();
/// Moves to the item submitted last, in place of where Tab would have moved.
void mark_last_item();
/// True when the item submitted last is the one that arrows and Tab moved to.
bool is_marked_item();
/// Lets Enter press the item that the arrows moved to in a popup. Dear ImGui 1.86 only accepts
/// Space.
void press_focused_item();

}  // namespace lab::view::compat
