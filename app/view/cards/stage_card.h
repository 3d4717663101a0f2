#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// Draws the card of one stage of the focused head into `rect`.
void stage_card(Ui& ui, const Rect& rect, attention::Stage stage);

}  // namespace lab::view
