#include "core/gradient/network_adjoints.h"

#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/gradient/adjoints.h"
#include "core/network/product.h"
#include "core/network/row_functions.h"

namespace attention::network {
namespace {

// `matrix` with that shape, all 0, unless it has it already; as it is when it is not wanted.
Matrix& zeroed_if(bool wanted, Matrix& matrix, Index rows, Index cols) {
  if (wanted && matrix.size() == 0) matrix.setZero(rows, cols);
  return matrix;
}

// f′ of each number.
Eigen::ArrayXXf slopes(Activation activation, const Eigen::ArrayXXf& x) {
  constexpr float kRootHalf = 0.70710678118654752f;        // 1 / √2
  constexpr float kRootTwoByPi = 0.79788456080286536f;     // √(2 / π)
  constexpr float kOneByRootTwoPi = 0.39894228040143268f;  // 1 / √(2 π)
  switch (activation) {
    case Activation::kGelu:
      return 0.5f * (1 + (x * kRootHalf).erf()) + x * kOneByRootTwoPi * (-0.5f * x.square()).exp();
    case Activation::kGeluTanh: {
      const Eigen::ArrayXXf tanh = (kRootTwoByPi * (x + 0.044715f * x.cube())).tanh();
      return 0.5f * (1 + tanh) +
             0.5f * x * (1 - tanh.square()) * kRootTwoByPi * (1 + 0.134145f * x.square());
    }
    case Activation::kRelu:
      return (x > 0.0f).cast<float>();
    case Activation::kSilu: {
      const Eigen::ArrayXXf sigmoid = 1 / (1 + (-x).exp());
      return sigmoid * (1 + x * (1 - sigmoid));
    }
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
  if (norm.kind == NormKind::kLayer)
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
