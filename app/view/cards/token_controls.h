#pragma once

#include "app/view/state/ui.h"

namespace lab::view {

/// Chooses whose lines are drawn; stands at the right end of the card's heading.
void line_choice(Ui& ui, const Rect& heading);
/// The width that it takes.
float line_choice_width(const Ui& ui);
/// The slider for the share of the weight that a query's lines hold.
void share_slider(Ui& ui, Rect row);
/// One tile a head, in the colour of its lines; a click shows or hides them.
void head_legend(Ui& ui, const Rect& area);
/// The height that head_legend wants.
float head_legend_height(const Ui& ui);

}  // namespace lab::view
