#pragma once

#include "app/figure/compose/stage_sheet.h"

namespace lab::figure {

/// The calculation of the cell (options.row, options.column) of options.stage with its numbers:
/// what the cell means, and one line per step. Throws std::out_of_range when there is no such cell.
Figure arithmetic_figure(const FigureSource& source, const Look& look, double width);

}  // namespace lab::figure
