#include "core/gradient/network_adjoints.h"

#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/gradient/adjoints.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// `matrix` with that shape, all 0, unless it has it already; as it is when it is not requested.
Matrix& zeroed_if(bool requested, Matrix& matrix, Index rows, Index cols) {
  if (requested && matrix.size() == 0) matrix.setZero(rows, cols);
  return matrix;
}

using Values = Eigen::ArrayXXf;

Values sigmoid(const Values& x) { return 1 / (1 + (-x).exp()); }

Values gelu_slopes(const Values& x) {
  constexpr float kRootHalf = 0.70710678118654752f;        // 1 / √2
  constexpr float kOneByRootTwoPi = 0.39894228040143268f;  // 1 / √(2 π)
  return 0.5f * (1 + (x * kRootHalf).erf()) + x * kOneByRootTwoPi * (-0.5f * x.square()).exp();
}

Values gelu_tanh_slopes(const Values& x) {
  constexpr float kRootTwoByPi = 0.79788456080286536f;  // √(2 / π)
  const Values tanh = (kRootTwoByPi * (x + 0.044715f * x.cube())).tanh();
  return 0.5f * (1 + tanh) +
         0.5f * x * (1 - tanh.square()) * kRootTwoByPi * (1 + 0.134145f * x.square());
}

// Of x σ(factor · x).
Values silu_slopes(const Values& x, float factor) {
  const Values s = sigmoid(factor * x);
  return s * (1 + factor * x * (1 - s));
}

Values mish_slopes(const Values& x) {
  const Values tanh = x.exp().log1p().tanh();
  return tanh + x * (1 - tanh.square()) * sigmoid(x);
}

// f′ of each number.
Values slopes(Activation activation, const Values& x) {
  switch (activation) {
    case Activation::kGelu:
      return gelu_slopes(x);
    case Activation::kGeluTanh:
      return gelu_tanh_slopes(x);
    case Activation::kGeluSigmoid:
      return silu_slopes(x, 1.702f);
    case Activation::kGeluClipped:
      return (x < 10.0f).cast<float>() * gelu_slopes(x);
    case Activation::kRelu:
      return (x > 0.0f).cast<float>();
    case Activation::kRelu6:
      return (x > 0.0f && x < 6.0f).cast<float>();
    case Activation::kReluSquared:
      return 2 * x.max(0.0f);
    case Activation::kReluLeaky:
      return 0.01f + 0.99f * (x > 0.0f).cast<float>();
    case Activation::kSilu:
      return silu_slopes(x, 1);
    case Activation::kSiluHard:
      return (x > -3.0f && x < 3.0f).cast<float>() * (2 * x + 3) / 6 + (x >= 3.0f).cast<float>();
    case Activation::kMish:
      return mish_slopes(x);
    case Activation::kSigmoid:
      return sigmoid(x) * (1 - sigmoid(x));
    case Activation::kTanh:
      return 1 - x.tanh().square();
    case Activation::kIdentity:
      return Values::Ones(x.rows(), x.cols());
  }
  return {};
}

}  // namespace

void linear_adjoint(const Linear& linear, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                    LinearGradient& gradient) {
  const Matrix W = linear.W.values();
  project_adjoint(rows, W, d, zeroed_if(true, d_rows, rows.rows(), rows.cols()),
                  zeroed_if(true, gradient.W, W.rows(), W.cols()),
                  zeroed_if(!linear.b.empty(), gradient.b, 1, W.cols()));
}

void norm_adjoint(const Norm& norm, const Matrix& rows, const Matrix& d, Matrix& d_rows,
                  NormGradient& gradient) {
  const Matrix weight = norm_weight(norm);
  Matrix& to = zeroed_if(true, d_rows, rows.rows(), rows.cols());
  Matrix& d_weight = zeroed_if(weight.size() > 0, gradient.weight, 1, rows.cols());
  Matrix& d_bias = zeroed_if(!norm.bias.empty(), gradient.bias, 1, rows.cols());
  if (norm.type == NormType::kLayer)
    return normalise_rows_adjoint(rows, weight, norm.epsilon, d, to, d_weight, d_bias);
  normalise_by_rms_adjoint(rows, weight, norm.epsilon, d, to, d_weight);
  if (d_bias.size() > 0) d_bias += d.colwise().sum();
}

Matrix activation_adjoint(Activation activation, const Matrix& values, const Matrix& d) {
  return (d.array() * slopes(activation, values.array())).matrix();
}

void mlp_adjoint(const Mlp& mlp, const Matrix& rows, const Matrix& d, ThreadPool& pool,
                 Matrix& d_rows, MlpGradient& gradient) {
  const Matrix before = project(rows, mlp.gate ? *mlp.gate : mlp.up, Precision::kSingle, pool);
  Matrix active = before;
  activate(mlp.activation, active);
  Matrix up, inner = active;
  if (mlp.gate) {
    up = project(rows, mlp.up, Precision::kSingle, pool);
    inner.array() *= up.array();
  }
  Matrix d_inner;
  linear_adjoint(mlp.down, inner, d, d_inner, gradient.down);
  if (mlp.gate) {
    const Matrix d_up = d_inner.cwiseProduct(active);
    linear_adjoint(mlp.up, rows, d_up, d_rows, gradient.up);
    d_inner.array() *= up.array();
  }
  linear_adjoint(mlp.gate ? *mlp.gate : mlp.up, rows,
                 activation_adjoint(mlp.activation, before, d_inner), d_rows,
                 mlp.gate ? gradient.gate : gradient.up);
}

}  // namespace attention::network
