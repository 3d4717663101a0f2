#pragma once

#include <string>

#include "app/view/maps/heat_map.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// Draws the card of one stage of the focused head into `rect`.
void stage_card(Ui& ui, const Rect& rect, attention::Stage stage);

/// The width, in points, of the buttons in the heading of a stage's card.
inline constexpr float kStageButtons = 35;

/// What the heading of the card of `stage` says after its name, as markup, in as many words as fit
/// into a card that is `width` wide: its formula, which heads it shows `together`, or of what the
/// numbers are derivatives. Nothing rather than a part of it.
std::string card_caption(const Ui& ui, attention::Stage stage, bool together, float width);

/// The name of the popup in which the colour range of `stage` is chosen.
std::string range_menu_of(attention::Stage stage);

/// The menu of the colour range of `stage`, opened by a click on `bar`, its colour bar.
void range_menu(Ui& ui, const Rect& bar, attention::Stage stage);

}  // namespace lab::view
