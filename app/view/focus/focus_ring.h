#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Using the window with the keyboard only: a ring moves from widget to widget, and Enter presses
// the one inside it. It appears with F6, F10 or Tab and disappears with Esc or a click.

namespace lab::view {

/// Widgets drawn from now on belong to the panel of that name. Throws std::out_of_range when there
/// is none.
void begin_part(Ui& ui, std::string_view panel);

/// Makes the widget of that name, just drawn at `rect`, reachable by the ring; does nothing in
/// popups, where Dear ImGui handles navigation. True when it is pressed in this frame.
bool ring_stop(Ui& ui, const std::string& name, const Rect& rect);
/// The same for a text field to fill in, which Tab enters without Enter.
bool ring_field(Ui& ui, const std::string& name, const Rect& rect);
/// Call while the text field of that name has the keyboard focus: Tab goes on from there.
void note_typing(Ui& ui, const std::string& name);
/// As ring_stop for a widget that `arrows` change while the ring is around it. Returns the step in
/// this frame, −1 or 1; 0 when it is unchanged.
int ring_slider(Ui& ui, const std::string& name, const Rect& rect, RingArrows arrows);

/// True while the ring is around the widget of that name.
bool has_ring(const Ui& ui, std::string_view name);
/// Moves the ring, if there is one, to the text field of that name, just made reachable by
/// ring_field(), because the keyboard goes there.
void bring_ring(Ui& ui, const std::string& name);
/// Takes the ring away, also from inside a widget.
void hide_ring(RingState& ring);
/// Passes the keys to the content of the widget that was just pressed; the ring returns afterwards.
void go_inside(Ui& ui, Inside what);

/// A step of the frame (main_view.cpp), after the panels: draws the ring.
void draw_ring(Ui& ui);
/// Draws a ring around `rect`.
void draw_ring_around(const Ui& ui, const Rect& rect);

/// True for the keys that the ring handles in this frame.
bool belongs_to_ring(const ViewState& state, Key key);
/// What the ring's keys do now, for the status line; empty while there is no ring.
std::string ring_hint(const Ui& ui);

}  // namespace lab::view
