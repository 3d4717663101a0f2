#pragma once

#include "core/matrix.h"

namespace attention::training {

/// A layer norm of rows (Ba, Kiros, Hinton 2016, ε 1e−5), with what its adjoint needs.
struct RowNorm {
  Matrix normal;            ///< [n × d] (x − mean) / σ
  Eigen::VectorXf inverse;  ///< [n] 1 / σ
  Matrix rows;              ///< [n × d] normal · weight + bias

  /// Of the rows x [n × d]; weight and bias are d numbers each.
  void forward(const Matrix& x, const float* weight, const float* bias);
  /// Adds to d_x what moves it through these rows, and sets the gradients of weight and bias.
  void backward(const Matrix& d_rows, const float* weight, Matrix& d_x, float* d_weight,
                float* d_bias) const;
};

/// ε of the norms of trained networks.
inline constexpr float kNormEpsilon = 1e-5f;

}  // namespace attention::training
