#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// Draws the name of what is dragged beside the pointer, above everything else.
void show_dragged(const Ui& ui, const std::string& name);

}  // namespace lab::view
