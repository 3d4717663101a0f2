#pragma once

#include <span>
#include <vector>

#include "app/view/state/panel.h"

namespace lab::view {

/// A panel of a column: the height it wants and how it yields, in pixels.
struct ColumnPart {
  float preferred_height = 0;  ///< 0: it is absent
  PanelHeight height;
};

/// The heights of the parts of a column of that height, in pixels. Parts without a share get what
/// they want; of the rest, parts with a share below 1 come first, and those with 1 divide the
/// remainder. There are `gap` pixels between two present parts. The total exceeds the column when
/// it is lower than the sum of the least heights.
std::vector<float> column_heights(std::span<const ColumnPart> parts, float column, float gap);

}  // namespace lab::view
