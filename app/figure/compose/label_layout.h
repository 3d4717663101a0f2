#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace lab::figure {

/// Draw every how-manyth of `count` labels so that they fit, when they are `pixels_per_label` apart
/// and each needs `min_pixels`: at least 1, and at most `count` (only the first is drawn).
inline int label_stride(int count, double pixels_per_label, double min_pixels) {
  const int most = std::max(count, 1);
  if (!(pixels_per_label > 0)) return most;
  // A small tolerance, so that labels exactly as far apart as they need to be are all drawn.
  const double stride = std::ceil(min_pixels / pixels_per_label - 1e-9);
  return static_cast<int>(std::clamp(stride, 1.0, static_cast<double>(most)));
}

/// Which of `count` labels to draw so that any two are at least `stride` apart: first those of
/// `requested`, most important first, then every `stride`th where there is room.
inline std::vector<bool> chosen_labels(int count, int stride, const std::vector<int>& requested) {
  std::vector<bool> chosen(static_cast<std::size_t>(std::max(count, 0)));
  const auto add = [&](int i) {
    const int first = std::max(i - stride + 1, 0), last = std::min(i + stride - 1, count - 1);
    const auto begin = chosen.begin();
    if (std::find(begin + first, begin + last + 1, true) == begin + last + 1)
      chosen[static_cast<std::size_t>(i)] = true;
  };
  for (const int i : requested)
    if (i >= 0 && i < count) add(i);
  for (int i = 0; i < count; i += stride) add(i);
  return chosen;
}

/// The same for consecutive numbers: a stride that is easy to count in, such as 2, 5, 10, 20.
inline int number_stride(int count, double pixels_per_label, double min_pixels) {
  const int needed = label_stride(count, pixels_per_label, min_pixels);
  for (int power = 1;; power *= 10)
    for (const int step : {1, 2, 5})
      if (step * power >= needed) return step * power;
}

}  // namespace lab::figure
