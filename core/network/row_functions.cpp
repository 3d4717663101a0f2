#include "core/network/row_functions.h"

#include <unsupported/Eigen/SpecialFunctions>

namespace attention::network {
namespace {

using Row = MatrixSlot::RowXpr;

void divide_by_deviation(const Norm& norm, Row row) {
  auto numbers = row.array();
  if (norm.kind == NormKind::kLayer) numbers -= static_cast<float>(numbers.cast<double>().mean());
  const double variance = numbers.cast<double>().square().mean();
  numbers *= static_cast<float>(1 / std::sqrt(variance + static_cast<double>(norm.epsilon)));
}

template <typename Values>
void apply(Activation activation, Values x) {
  constexpr float kRootHalf = 0.70710678118654752f;     // 1 / √2
  constexpr float kRootTwoByPi = 0.79788456080286536f;  // √(2 / π)
  switch (activation) {
    case Activation::kGelu:
      x *= 0.5f * (1 + (x * kRootHalf).erf());
      return;
    case Activation::kGeluTanh:
      x *= 0.5f * (1 + (kRootTwoByPi * (x + 0.044715f * x.cube())).tanh());
      return;
    case Activation::kRelu:
      x = x.max(0.0f);
      return;
    case Activation::kSilu:
      x /= 1 + (-x).exp();
      return;
  }
}

}  // namespace

void normalise(const Norm& norm, MatrixSlot rows) {
  const Matrix weight = norm.weight.values(), bias = norm.bias.values();
  for (Index i = 0; i < rows.rows(); ++i) {
    divide_by_deviation(norm, rows.row(i));
    auto numbers = rows.row(i).array();
    if (weight.size() > 0 && norm.weight_plus_one) numbers *= 1 + weight.row(0).array();
    if (weight.size() > 0 && !norm.weight_plus_one) numbers *= weight.row(0).array();
    if (bias.size() > 0) numbers += bias.row(0).array();
  }
}

void activate(Activation activation, MatrixSlot values) {
  for (Index i = 0; i < values.rows(); ++i) apply(activation, values.row(i).array());
}

}  // namespace attention::network
