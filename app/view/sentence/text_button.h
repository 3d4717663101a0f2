#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The width of text_button().
float text_button_width(const Ui& ui, const std::string& text);

/// Draws dim text that opens the popup `menu`, cut off the left of `rect`.
void text_button(Ui& ui, Rect& rect, const std::string& id, const std::string& text,
                 const char* menu);

}  // namespace lab::view
