#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Using the window with the keyboard only: the focus moves from widget to widget, and Enter presses
// the one inside it. It appears with F6, F10 or Tab and disappears with Esc or a click.

namespace lab::view {

/// Widgets drawn from now on belong to the panel of that name. Throws std::out_of_range when there
/// is none.
void begin_panel(Ui& ui, std::string_view panel);

/// Makes the widget of that name, just drawn at `rect`, reachable by the keyboard focus; does
/// nothing in popups, where Dear ImGui handles navigation. True when it is pressed in this frame.
bool focus_stop(Ui& ui, const std::string& name, const Rect& rect);
/// The same for a text field to fill in, which Tab enters without Enter.
bool focus_field(Ui& ui, const std::string& name, const Rect& rect);
/// Call while the text field of that name has the keyboard focus: Tab goes on from there.
void note_typing(Ui& ui, const std::string& name);
/// As focus_stop for a widget that `arrows` change while the keyboard focus is on it. Returns the
/// step in this frame, −1 or 1; 0 when it is unchanged.
int focus_slider(Ui& ui, const std::string& name, const Rect& rect, FocusArrows arrows);

/// True while the keyboard focus is on the widget of that name.
bool has_keyboard_focus(const Ui& ui, std::string_view name);
/// Moves the keyboard focus, if there is one, to the text field of that name, just made reachable
/// by focus_field(), because the keyboard goes there.
void bring_focus(Ui& ui, const std::string& name);
/// Takes the keyboard focus away, also from inside a widget.
void hide_keyboard_focus(KeyboardFocus& keyboard_focus);
/// Passes the keys to the content of the widget that was just pressed; the keyboard focus returns
/// afterwards.
void go_inside(Ui& ui, Inside what);

/// A step of the frame (main_view.cpp), after the panels: draws the keyboard focus.
void draw_focus_ring(Ui& ui);
/// Draws a focus ring around `rect`.
void draw_focus_ring_around(const Ui& ui, const Rect& rect);

/// True for the keys that the keyboard focus handles in this frame.
bool belongs_to_focus(const ViewState& state, Key key);
/// What the focus keys do now, for the status line; empty while there is none.
std::string focus_hint(const Ui& ui);

}  // namespace lab::view
