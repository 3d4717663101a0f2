#pragma once

#include "app/figure/compose/stage_sheet.h"

namespace lab::figure {

/// Lines from the queries on the left to the keys on the right: for each query, to the keys that
/// together hold options.share of its weight. The thickness of a line shows its weight. Throws
/// std::out_of_range when there is no such head or query.
Figure line_figure(const FigureSource& source, const Look& look, double width);

}  // namespace lab::figure
