#include "app/view/window/column_heights.h"

#include <algorithm>
#include <cmath>

namespace lab::view {
namespace {

bool is_present(const ColumnPart& part) { return part.preferred_height > 0; }
bool is_rigid(const ColumnPart& part) { return is_present(part) && part.height.share == 0; }
bool gives_way(const ColumnPart& part) {
  return is_present(part) && part.height.share > 0 && part.height.share < 1;
}
bool fills(const ColumnPart& part) { return is_present(part) && part.height.share >= 1; }

// The height that the rigid parts leave to the others, without the gaps.
float left_to_others(std::span<const ColumnPart> parts, float column, float gap) {
  const auto count = static_cast<float>(std::ranges::count_if(parts, is_present));
  float rest = column - gap * std::max(0.0f, count - 1);
  for (const ColumnPart& part : parts)
    if (is_rigid(part)) rest -= part.preferred_height;
  return rest;
}

}  // namespace

std::vector<float> column_heights(std::span<const ColumnPart> parts, float column, float gap) {
  const float rest = left_to_others(parts, column, gap);
  float left = rest, reserved = 0;  // the least heights of the remaining parts
  for (const ColumnPart& part : parts)
    if (gives_way(part) || fills(part)) reserved += part.height.least;
  std::vector<float> heights;
  for (const ColumnPart& part : parts) {
    heights.push_back(is_rigid(part) ? part.preferred_height : 0);
    if (!gives_way(part)) continue;
    const auto& [least, ample, share] = part.height;
    reserved -= least;
    const float most = std::min(std::max(ample, rest * share), left - reserved);
    heights.back() = std::floor(std::min(part.preferred_height, std::max(least, most)));
    left -= heights.back();
  }
  const auto sharing = static_cast<float>(std::ranges::count_if(parts, fills));
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (fills(parts[i])) heights[i] = std::floor(std::max(parts[i].height.least, left / sharing));
  return heights;
}

}  // namespace lab::view
