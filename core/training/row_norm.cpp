#include "core/training/row_norm.h"

#include <cmath>

#include "core/training/simd_block.h"

namespace attention::training {
namespace {

float mean_of(const float* row, Index d) {
  SimdBlock sum = SimdBlock::Zero();
  for_simd_blocks(d, [&](auto block) { sum += block.load(row); });
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
    SimdBlock squares = SimdBlock::Zero();
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock apart = block.filled(block.load(from) - mean, 0);
      squares += apart * apart;
      block.store(apart, to);
    });
    const float factor = 1 / std::sqrt(squares.sum() / static_cast<float>(d) + kNormEpsilon);
    inverse(i) = factor;
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock normed = block.load(to) * factor;
      block.store(normed, to);
      block.store(normed * block.load(weight) + block.load(bias), rows.data() + i * d);
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
    SimdBlock sum = SimdBlock::Zero(), along_sum = SimdBlock::Zero();
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock n = block.load(row), m = block.load(moved), g = m * block.load(weight);
      sum += g;
      along_sum += g * n;
      block.store(block.load(d_weight) + m * n, d_weight);
      block.store(block.load(d_bias) + m, d_bias);
    });
    const float mean = sum.sum() / static_cast<float>(d);
    const float along = along_sum.sum() / static_cast<float>(d), factor = inverse(i);
    for_simd_blocks(d, [&](auto block) {
      const SimdBlock g = block.load(moved) * block.load(weight);
      block.store(block.load(to) + (g - mean - along * block.load(row)) * factor, to);
    });
  }
}

}  // namespace attention::training
