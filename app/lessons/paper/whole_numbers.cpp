#include "app/lessons/paper/whole_numbers.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace lab::lessons {

bool is_whole(const attention::Matrix& values) {
  const std::span numbers(values.data(), static_cast<std::size_t>(values.size()));
  return std::ranges::all_of(
      numbers, [](float value) { return !std::isfinite(value) || value == std::round(value); });
}

}  // namespace lab::lessons
