#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/gradient/network_adjoints.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

class EveryActivation : public ::testing::TestWithParam<int> {};

// Against differences, at numbers that lie beside the corners at −3, 0, 3, 6 and 10.
TEST_P(EveryActivation, HasTheSlopeOfItsFunction) {
  const auto activation = static_cast<Activation>(GetParam());
  constexpr float kStep = 0.01f;
  const Matrix x = Matrix::NullaryExpr(
      1, 200, [](Index, Index i) { return -11.93f + 0.12f * static_cast<float>(i); });
  Matrix above = (x.array() + kStep).matrix(), below = (x.array() - kStep).matrix();
  activate(activation, above);
  activate(activation, below);
  const Matrix differences = (above - below) / (2 * kStep);
  const Matrix slopes = activation_adjoint(activation, x, Matrix::Ones(1, x.cols()));
  for (Index i = 0; i < x.cols(); ++i)
    EXPECT_NEAR(slopes(i), differences(i), 1e-3f * std::max(1.0f, std::abs(slopes(i)))) << x(i);
}

INSTANTIATE_TEST_SUITE_P(Every, EveryActivation, ::testing::Range(0, kActivations));

}  // namespace
}  // namespace attention::network
