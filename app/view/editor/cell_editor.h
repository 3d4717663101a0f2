#pragma once

#include <string>

#include "app/view/state/ui.h"

// A number that is typed over a cell, in the grid as well as in a stage's map.

namespace lab::view {

/// The characters typed in this frame that numbers can have; none while Ctrl makes them shortcuts.
std::string typed_text();

/// Adds what is typed or pasted in this frame at the end of `text`, or takes its last character
/// away. While the text is `selected` as a whole, that replaces it; an arrow, Home or End keeps it
/// to be added to. True when it changed.
bool edit_number_text(std::string& text, bool& selected);

/// The shortest text that reads back as `value`.
std::string editable_text(float value);

/// Draws the open text field over its cell.
void cell_field(Ui& ui, const Rect& cell, const std::string& text, bool selected);

}  // namespace lab::view
