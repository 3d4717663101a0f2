#pragma once

#include <string>

#include "app/view/state/ui.h"

// The sign on a card that its map is zoomed.

namespace lab::view {

/// What the sign says, and its width in pixels; empty when the whole map is shown.
struct ZoomNote {
  std::string text;
  float width = 0;
};

/// "3–7": the numbers of the cells, of `count`, that are visible, in part or whole, when a share
/// `length` of all is visible from the share `start` on.
std::string visible_cells(float start, float length, attention::Index count);

/// "rows 3–7, columns 1–5", as much of it as fits into `room`.
ZoomNote zoom_note(const Ui& ui, attention::Stage stage, attention::Shape shape, float room);

/// Draws the sign; a click on it shows the whole map again.
void zoom_button(Ui& ui, const Rect& bounds, attention::Stage stage, const ZoomNote& note);

}  // namespace lab::view
