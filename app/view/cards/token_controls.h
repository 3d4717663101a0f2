#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// The choice of lines to draw, at the right end of the card's heading.
void line_choice(Ui& ui, const Rect& heading);
/// Its width.
float line_choice_width(const Ui& ui);
/// The slider for the fraction of the weight that a query's lines add up to.
void share_slider(Ui& ui, Rect row);
/// One tile per head, in the colour of its lines; a click shows or hides them.
void head_legend(Ui& ui, const Rect& area);
/// The height of head_legend.
float head_legend_height(const Ui& ui);

}  // namespace lab::view
