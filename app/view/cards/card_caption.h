#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The width, in points, of the buttons in the heading of a stage's card.
inline constexpr float kStageButtons = 35;

/// What the heading of the card of `stage` says after its name, as markup, in as many words as fit
/// into a card that is `width` wide: its formula, which heads it shows `together`, or of what the
/// numbers are derivatives. Nothing rather than a part of it.
std::string card_caption(const Ui& ui, attention::Stage stage, bool together, float width);

}  // namespace lab::view
