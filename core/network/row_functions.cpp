#include "core/network/row_functions.h"

#include <algorithm>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/layer/stages.h"

namespace attention::network {
namespace {

constexpr Index kRowsATask = 16;

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
    case Activation::kGeluSigmoid:
      x /= 1 + (-1.702f * x).exp();
      return;
    case Activation::kGeluClipped:
      x = (0.5f * x * (1 + (x * kRootHalf).erf())).min(10.0f);
      return;
    case Activation::kRelu:
      x = x.max(0.0f);
      return;
    case Activation::kRelu6:
      x = x.max(0.0f).min(6.0f);
      return;
    case Activation::kReluSquared:
      x = x.max(0.0f).square();
      return;
    case Activation::kReluLeaky:
      x = x.max(0.01f * x);
      return;
    case Activation::kSilu:
      x /= 1 + (-x).exp();
      return;
    case Activation::kSiluHard:
      x *= (x + 3).max(0.0f).min(6.0f) / 6;
      return;
    case Activation::kMish:
      x *= x.exp().log1p().tanh();
      return;
    case Activation::kSigmoid:
      x = 1 / (1 + (-x).exp());
      return;
    case Activation::kTanh:
      x = x.tanh();
      return;
    case Activation::kIdentity:
      return;
  }
}

}  // namespace

Matrix norm_weight(const Norm& norm) {
  Matrix weight = norm.weight.values();
  if (norm.weight_plus_one) weight.array() += 1;
  return weight;
}

void normalise(const Norm& norm, MatrixSlot rows) {
  const Matrix weight = norm_weight(norm), bias = norm.bias.values();
  if (norm.kind == NormKind::kLayer) return normalise_rows(rows, weight, bias, norm.epsilon, rows);
  normalise_by_rms(rows, weight, norm.epsilon, rows);
  if (bias.size() > 0) rows.rowwise() += bias.row(0);
}

void normalise(const Norm& norm, MatrixSlot rows, ThreadPool& pool) {
  pool.run((rows.rows() + kRowsATask - 1) / kRowsATask, [&](Index task) {
    const Index first = task * kRowsATask;
    normalise(norm, rows.middleRows(first, std::min(kRowsATask, rows.rows() - first)));
  });
}

void activate(Activation activation, MatrixSlot values) {
  for (Index i = 0; i < values.rows(); ++i) apply(activation, values.row(i).array());
}

}  // namespace attention::network
