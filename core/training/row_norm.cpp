#include "core/training/row_norm.h"

#include <cmath>

#include "core/training/lanes.h"

namespace attention::training {
namespace {

float mean_of(const float* row, Index d) {
  Lanes sum = Lanes::Zero();
  for_lanes(d, [&](auto lanes) { sum += lanes.load(row); });
  return sum.sum() / static_cast<float>(d);
}

}  // namespace

void RowNorm::forward(const Matrix& x, const float* weight, const float* bias) {
  const Index d = x.cols();
  normal.resize(x.rows(), d);
  rows.resize(x.rows(), d);
  inverse.resize(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    const float* const from = x.data() + i * d;
    float* const to = normal.data() + i * d;
    const float mean = mean_of(from, d);
    Lanes squares = Lanes::Zero();
    for_lanes(d, [&](auto lanes) {
      const Lanes apart = lanes.filled(lanes.load(from) - mean, 0);
      squares += apart * apart;
      lanes.store(apart, to);
    });
    const float factor = 1 / std::sqrt(squares.sum() / static_cast<float>(d) + kNormEpsilon);
    inverse(i) = factor;
    for_lanes(d, [&](auto lanes) {
      const Lanes normed = lanes.load(to) * factor;
      lanes.store(normed, to);
      lanes.store(normed * lanes.load(weight) + lanes.load(bias), rows.data() + i * d);
    });
  }
}

void RowNorm::backward(const Matrix& d_rows, const float* weight, Matrix& d_x, float* d_weight,
                       float* d_bias) const {
  const Index d = normal.cols();
  std::fill_n(d_weight, d, 0.0f);
  std::fill_n(d_bias, d, 0.0f);
  for (Index i = 0; i < normal.rows(); ++i) {
    const float* const row = normal.data() + i * d;
    const float* const moved = d_rows.data() + i * d;
    float* const to = d_x.data() + i * d;
    Lanes sum = Lanes::Zero(), along_sum = Lanes::Zero();
    for_lanes(d, [&](auto lanes) {
      const Lanes n = lanes.load(row), m = lanes.load(moved), g = m * lanes.load(weight);
      sum += g;
      along_sum += g * n;
      lanes.store(lanes.load(d_weight) + m * n, d_weight);
      lanes.store(lanes.load(d_bias) + m, d_bias);
    });
    const float mean = sum.sum() / static_cast<float>(d);
    const float along = along_sum.sum() / static_cast<float>(d), factor = inverse(i);
    for_lanes(d, [&](auto lanes) {
      const Lanes g = lanes.load(moved) * lanes.load(weight);
      lanes.store(lanes.load(to) + (g - mean - along * lanes.load(row)) * factor, to);
    });
  }
}

}  // namespace attention::training
