#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// The window by keyboard alone: a ring goes from widget to widget, and Enter presses the one that
// it is around. It shows with F6, F10 or Tab and goes with Esc or a click.

namespace lab::view {

/// The widgets that are drawn from now on belong to the panel of that name. Throws
/// std::out_of_range when there is none.
void begin_part(Ui& ui, std::string_view panel);

/// Notes the widget of that name, which was just drawn at `rect`, as one that the ring goes to; in
/// popups, where Dear ImGui leads the way, it does nothing. True when it is pressed in this frame.
bool ring_stop(Ui& ui, const std::string& name, const Rect& rect);
/// The same for a widget that `arrows` change while the ring is around it. Returns by how many
/// steps, −1 or 1, in this frame; 0 when it stays as it is.
int ring_slider(Ui& ui, const std::string& name, const Rect& rect, RingArrows arrows);

/// True while the ring is around the widget of that name.
bool has_ring(const Ui& ui, std::string_view name);
/// Hands the keys to what is in the widget that was just pressed; the ring comes back after it.
void go_inside(Ui& ui, Inside what);

/// A step of the frame (main_view.cpp), after the panels: draws the ring.
void draw_ring(Ui& ui);
/// Draws a ring around `rect`.
void draw_ring_around(const Ui& ui, const Rect& rect);

/// True for the keys that the ring takes for itself in this frame.
bool belongs_to_ring(const ViewState& state, Key key);
/// What the ring's keys do now, for the status line; empty while there is none.
std::string ring_hint(const Ui& ui);

}  // namespace lab::view
