#pragma once

#include <span>
#include <string_view>

#include "app/view/state/ui.h"

namespace lab::view {

/// Every panel of the window, in the order in which the keyboard goes through them and in which
/// panels of one region are stacked.
std::span<const PanelInfo* const> all_panels();

/// Draws `panel` into `rect` and names it "panel/NAME".
void draw_panel(Ui& ui, const PanelInfo& panel, const Rect& rect);
/// The same for the panel of that name. Throws std::out_of_range when there is none.
void draw_panel(Ui& ui, std::string_view name, const Rect& rect);

}  // namespace lab::view
