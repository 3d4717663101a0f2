#pragma once

#include <algorithm>
#include <cmath>

namespace lab {

/// Every how-manyeth of `count` labels fits when they lie `pixels_per_label` apart and each needs
/// `min_pixels`: at least 1, and at most `count` (only the first is drawn).
inline int label_stride(int count, double pixels_per_label, double min_pixels) {
  const int most = std::max(count, 1);
  if (!(pixels_per_label > 0)) return most;
  // A hair's breadth of tolerance, so that labels exactly as far apart as they need are all drawn.
  const double stride = std::ceil(min_pixels / pixels_per_label - 1e-9);
  return static_cast<int>(std::clamp(stride, 1.0, static_cast<double>(most)));
}

/// The same for numbers that count up: a stride that a person can count in, such as 2, 5, 10, 20.
inline int number_stride(int count, double pixels_per_label, double min_pixels) {
  const int needed = label_stride(count, pixels_per_label, min_pixels);
  for (int power = 1;; power *= 10)
    for (const int step : {1, 2, 5})
      if (step * power >= needed) return step * power;
}

}  // namespace lab
