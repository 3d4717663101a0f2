#include "app/lessons/paper/whole_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lab::lessons {
namespace {

// Sums of products of short numbers are inexact in the last places.
constexpr float kRounding = 2e-5f;

bool are_multiples(const attention::Matrix& values, float unit, float rounding) {
  const std::span numbers(values.data(), static_cast<std::size_t>(values.size()));
  return std::ranges::all_of(numbers, [unit, rounding](float value) {
    const float count = value / unit;
    return !std::isfinite(value) || std::abs(count - std::round(count)) <= rounding / unit;
  });
}

}  // namespace

bool is_whole(const attention::Matrix& values) { return are_multiples(values, 1, 0); }

int decimals_of(const attention::Matrix& values, int most) {
  constexpr std::array kUnits{1.0f, 0.1f, 0.01f, 0.001f};  // of finer ones kRounding is too much
  for (int decimals = 0; decimals < std::min<int>(most, kUnits.size()); ++decimals)
    if (are_multiples(values, kUnits.at(static_cast<std::size_t>(decimals)), kRounding))
      return decimals;
  return most;
}

}  // namespace lab::lessons
