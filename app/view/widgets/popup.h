#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"

namespace lab::view {

/// Opens the popup with that id at the next begin_popup.
void open_popup(const std::string& id);

/// Opens the popup `id` when an action requested it (request::OpenPopup).
void open_requested_popup(Ui& ui, const std::string& id);

/// True while a menu or list handles the keys; also in the frame in which Esc closed it.
bool popup_has_keys(const Ui& ui);

/// Starts the popup `id`, if it is open, below `button`, or above it when there is no room; it
/// stays there when the button moves. Ends with end_popup when it returned true. Arrows and Enter
/// choose in it, unless it has `own_keys`.
bool begin_popup(Ui& ui, const std::string& id, const Rect& button, bool own_keys = false);
/// Ends a popup.
void end_popup();

/// One line of a menu: a name and, on the right, its shortcut; a check mark in front when
/// `checked`. `id` is its stable name. Returns true when it was chosen.
bool menu_item(Ui& ui, const std::string& id, std::string_view name,
               const std::string& shortcut = {}, bool checked = false, bool enabled = true);

/// Draws the ‹ (`left`) or › of a button that goes back or on, in the middle of `bounds`.
void draw_chevron(Ui& ui, const Rect& bounds, bool left, figure::Rgb colour);
/// Draws a tick in the middle of `bounds`.
void draw_tick(Ui& ui, const Rect& bounds, figure::Rgb colour);
/// Draws the small ▾ of a button that opens a menu, centred at `centre`.
void draw_menu_mark(Ui& ui, ImVec2 centre);

/// The width of text_button().
float text_button_width(const Ui& ui, const std::string& text);

/// Draws dim text that opens the popup `menu`, cut off the left of `rect`.
void text_button(Ui& ui, Rect& rect, const std::string& id, const std::string& text,
                 const char* menu);

}  // namespace lab::view
