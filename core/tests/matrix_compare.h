#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/matrix.h"

namespace attention::test {

/// Success when `fits(found, expected)` holds for every cell; a failure names the first place where
/// it does not, both values and `how` they should have compared.
template <typename Found, typename Requested, typename Fits>
testing::AssertionResult compare_cells(const Found& found, const Requested& expected,
                                       const std::string& how, Fits fits) {
  if (found.rows() != expected.rows() || found.cols() != expected.cols()) {
    return testing::AssertionFailure()
           << "the shape is " << shape_text(found.rows(), found.cols()) << ", expected "
           << shape_text(expected.rows(), expected.cols());
  }
  for (Index i = 0; i < found.rows(); ++i) {
    for (Index j = 0; j < found.cols(); ++j) {
      if (fits(found(i, j), expected(i, j))) continue;
      return testing::AssertionFailure() << "cell (" << i << ", " << j << ") is " << found(i, j)
                                         << ", expected " << expected(i, j) << " " << how;
    }
  }
  return testing::AssertionSuccess();
}

/// Every cell within `tolerance`; infinities equal each other by sign, NaN equals NaN.
template <typename Found, typename Requested>
testing::AssertionResult all_near(const Found& found, const Requested& expected, double tolerance) {
  const auto fits = [tolerance](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
  };
  return compare_cells(found, expected, "within " + std::to_string(tolerance), fits);
}

/// Every cell within `share` of the largest finite magnitude in `expected`.
template <typename Found, typename Requested>
testing::AssertionResult all_near_relative(const Found& found, const Requested& expected,
                                           double share) {
  double largest = 0;
  for (Index i = 0; i < expected.size(); ++i) {
    const double value = std::abs(static_cast<double>(expected.data()[i]));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return all_near(found, expected, share * largest);
}

/// Every cell equal bit for bit; NaN equals NaN.
inline testing::AssertionResult all_identical(const Matrix& found, const Matrix& expected) {
  const auto fits = [](float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
           (std::isnan(a) && std::isnan(b));
  };
  return compare_cells(found, expected, "bit for bit", fits);
}

}  // namespace attention::test
