#pragma once

#include "app/figure/compose/stage_sheet.h"

namespace lab::figure {

/// The calculation behind the cell (options.row, options.column) of options.stage, with its own
/// numbers: what the cell means, and a line a step. Throws std::out_of_range when there is no such
/// cell.
Figure arithmetic_figure(const FigureSource& source, const Look& look, double width);

}  // namespace lab::figure
