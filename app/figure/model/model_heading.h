#pragma once

#include "app/figure/compose/sheet.h"
#include "app/figure/model/model_caption.h"

namespace lab::figure {

/// Draws Figure::title, if there is one, and below it the caption, unless the options have a title
/// of their own. Returns where what follows begins, from the top of the page.
double draw_heading(const ModelCaption& caption, const FigureOptions& options, const Look& look,
                    Figure& figure);

}  // namespace lab::figure
