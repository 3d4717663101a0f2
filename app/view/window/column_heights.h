#pragma once

#include <span>
#include <vector>

#include "app/view/state/panel.h"

namespace lab::view {

/// A panel of a column: what it wants and how it gives way, in pixels.
struct ColumnPart {
  float wanted = 0;  ///< 0: it is not there
  PanelHeight height;
};

/// The heights of the parts of a column of that height, in pixels. What has no share gets what it
/// wants; of the rest, what has a share below 1 comes first, and those with 1 divide what is left.
/// There are `gap` pixels between two parts that are there. Together they are higher than the
/// column when that has less than the least of each.
std::vector<float> column_heights(std::span<const ColumnPart> parts, float column, float gap);

}  // namespace lab::view
