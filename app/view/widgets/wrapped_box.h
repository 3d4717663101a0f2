#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/view/state/ui.h"

// A text field of several lines. Dear ImGui does not wrap lines: the box shows the text with line
// ends in place of some blanks, which the text itself never gets.

namespace lab::view {

/// `text` with a line end in place of the blank before each word that does not fit in a line of
/// `room` pixels in the current font. As long as `text`.
std::string wrapped_text(std::string text, float room);

/// `text`, which a box showed as `shown`, after it was edited there to `edited`: line ends that
/// only the box had are blanks again.
std::string unwrapped_text(const std::string& text, std::string_view shown,
                           std::string_view edited);

/// A box at the cursor for `text`, known to ImGui as `label`; `name` is its stable name. While it
/// is typed in, it follows a text that is changed meanwhile. True when the user changed the text.
bool wrapped_box(Ui& ui, const std::string& name, const std::string& label, const Rect& bounds,
                 std::string& text, ImGuiInputTextFlags flags = 0);

/// The height of a box as wide as `width` for all of `text` in the current font, for `most` lines
/// at most.
float wrapped_height(Ui& ui, const std::string& text, float width, int most);

}  // namespace lab::view
