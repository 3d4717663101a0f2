#pragma once

#include <optional>
#include <string>

#include "app/view/state/ui.h"

// Typing a number over a cell, in the grid or in a stage's map.

namespace lab::view {

/// The characters typed in this frame that can be part of a number; none while Ctrl is held.
std::string typed_text();

/// Appends what is typed or pasted in this frame to `text`, or removes its last character. While
/// the whole text is `selected`, typing replaces it; an arrow, Home or End deselects it. True when
/// it changed.
bool edit_number_text(std::string& text, bool& selected);

/// The shortest text that reads back as `value`.
std::string editable_text(float value);

/// Draws the open text field over its cell.
void cell_field(Ui& ui, const Rect& cell, const std::string& text, bool selected);

/// A number that can be edited in place: shows `shown`, and after a click a field that contains
/// `full`. `text` is what is being typed; it must be one that commit_pending handles. Enter commits
/// the number, Esc cancels, a click elsewhere commits it if it is valid. `name` is the stable name.
void number_field(Ui& ui, const std::string& name, const Rect& bounds, const std::string& shown,
                  const std::string& full, std::optional<std::string>& text);

}  // namespace lab::view
