// The kernels, to be compiled once for each instruction set. The including file names the
// instruction set in KERNELS_NAME and the namespace in KERNELS_NAMESPACE; where there are several,
// it renames the namespace Eigen first, so that no linker takes one for another.

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/kernels/blocks.h"

namespace attention::KERNELS_NAMESPACE {
namespace {

using EigenMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = std::ptrdiff_t;
using In = Eigen::Map<const EigenMatrix, Eigen::Unaligned, Eigen::OuterStride<>>;
using Out = Eigen::Map<EigenMatrix, Eigen::Unaligned, Eigen::OuterStride<>>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Eigen's vectorised exp does not fall below about 4e-39, not even for −∞. Whatever is smaller
// than a normal float is set to 0.
constexpr float kSmallestExponential = std::numeric_limits<float>::min();

/// The numbers of a block to read.
In in(const ConstBlock& b) { return {b.data, b.rows, b.cols, Eigen::OuterStride<>(b.stride)}; }
/// The numbers of a block to write.
Out out(const Block& b) { return {b.data, b.rows, b.cols, Eigen::OuterStride<>(b.stride)}; }

// Eigen's products divide and copy their operands first, which pays only for larger ones.
constexpr Index kSmallProduct = 1 << 15;

/// True when a · b is small, see kSmallProduct.
bool is_small(const ConstBlock& a, const ConstBlock& b) {
  return a.rows * a.cols * b.cols <= kSmallProduct;
}

// kRows rows of a · b from `row` on, kWidth columns of them from `col` on, in registers.
template <int kRows, int kWidth>
void multiply_tile(const ConstBlock& a, const ConstBlock& b, Index row, Index col, bool add,
                   const Block& result) {
  using Lanes = Eigen::Array<float, 1, kWidth>;
  std::array<Lanes, kRows> sums;
  sums.fill(Lanes::Zero());
  for (Index k = 0; k < a.cols; ++k) {
    const Lanes factors = Eigen::Map<const Lanes>(b.data + k * b.stride + col);
    for (int r = 0; r < kRows; ++r) sums[r] += a.data[(row + r) * a.stride + k] * factors;
  }
  for (int r = 0; r < kRows; ++r) {
    Eigen::Map<Lanes> target(result.data + (row + r) * result.stride + col);
    target = add ? Lanes(target + sums[r]) : sums[r];
  }
}

/// The same for as many times kRows rows as there are; returns the first row that is left.
template <int kRows, int kWidth>
Index multiply_rows(const ConstBlock& a, const ConstBlock& b, Index row, Index col, bool add,
                    const Block& result) {
  for (; row + kRows <= a.rows; row += kRows) {
    multiply_tile<kRows, kWidth>(a, b, row, col, add, result);
  }
  return row;
}

/// The same for all rows.
template <int kWidth>
void multiply_columns(const ConstBlock& a, const ConstBlock& b, Index col, bool add,
                      const Block& result) {
  Index row = multiply_rows<8, kWidth>(a, b, 0, col, add, result);
  row = multiply_rows<4, kWidth>(a, b, row, col, add, result);
  row = multiply_rows<2, kWidth>(a, b, row, col, add, result);
  multiply_rows<1, kWidth>(a, b, row, col, add, result);
}

// Columns from `col` on, as many as fit into the width; returns the first that is left. Unless it
// would be added twice, a rest is covered by computing some columns again.
template <int kWidth>
Index multiply_width(const ConstBlock& a, const ConstBlock& b, Index col, bool add,
                     const Block& result) {
  for (; col + kWidth <= b.cols; col += kWidth) multiply_columns<kWidth>(a, b, col, add, result);
  if (add || col == b.cols || b.cols < kWidth) return col;
  multiply_columns<kWidth>(a, b, b.cols - kWidth, add, result);
  return b.cols;
}

// result = a · b, or result + a · b with `add`, for small products.
void multiply_small(const ConstBlock& a, const ConstBlock& b, bool add, const Block& result) {
  Index col = multiply_width<16>(a, b, 0, add, result);
  col = multiply_width<8>(a, b, col, add, result);
  col = multiply_width<4>(a, b, col, add, result);
  multiply_width<1>(a, b, col, add, result);
}

/// See Kernels::multiply.
void multiply(ConstBlock a, ConstBlock b, const float* bias, Block result) {
  if (is_small(a, b)) {
    multiply_small(a, b, false, result);
  } else {
    out(result).noalias() = in(a)*in(b);
  }
  if (bias == nullptr) return;
  out(result).rowwise() += Eigen::Map<const Eigen::RowVectorXf>(bias, result.cols);
}

/// See Kernels::multiply_add.
void multiply_add(ConstBlock a, ConstBlock b, Block result) {
  if (is_small(a, b)) {
    multiply_small(a, b, true, result);
  } else {
    out(result).noalias() += in(a)*in(b);
  }
}

/// See Kernels::multiply_transposed.
void multiply_transposed(ConstBlock a, ConstBlock b, Block result) {
  if (a.rows * a.cols * b.rows > kSmallProduct) {
    out(result).noalias() = in(a)*in(b).transpose();
    return;
  }
  const EigenMatrix transposed = in(b).transpose();
  multiply_small(a, {transposed.data(), b.cols, b.rows, b.rows}, false, result);
}

/// See Kernels::scale.
void scale(ConstBlock values, float factor, Block result) {
  const bool in_one_piece = values.stride == values.cols && result.stride == result.cols;
  if (in_one_piece) {
    const Index size = values.rows * values.cols;
    Eigen::Map<Eigen::ArrayXf>(result.data, size) =
        Eigen::Map<const Eigen::ArrayXf>(values.data, size) * factor;
  } else {
    out(result) = in(values)*factor;
  }
}

// Rows of scores are copied side by side into whole vectors, so that each exponential is computed
// the same way wherever it stands, and several rows at once.
constexpr Index kVector = 16;
constexpr Index kScratch = 1 << 12;

using Rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using PaddedRow =
    Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic, Eigen::RowMajor>, Eigen::Aligned64>;

/// Row `i` in whole vectors.
PaddedRow row_of(Rows& rows, Index i) { return {rows.data() + i * rows.cols(), rows.cols()}; }

// Copies rows of scores, filled up with −∞. What was just stored in pieces is slow to load as a
// vector, so all rows are copied before any is read.
void copy_rows(const ConstBlock& scores, Rows& rows) {
  rows.setConstant(-kInfinity);
  for (Index i = 0; i < scores.rows; ++i) {
    std::memcpy(row_of(rows, i).data(), scores.data + i * scores.stride,
                static_cast<size_t>(scores.cols) * sizeof(float));
  }
}

// A sum is NaN where any of its numbers is, which is quicker to find out than a largest number
// that minds NaN.
float largest(const PaddedRow& row, bool may_hold_nan) {
  return may_hold_nan ? row.maxCoeff<Eigen::PropagateNaN>() : row.maxCoeff();
}

// Takes from each row its largest number, which is left in `maxima`; where that is no finite
// number, the row is left as it is.
void shift_rows(Rows& rows, Index count, Eigen::ArrayXf& maxima) {
  const Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64> all(rows.data(), count * rows.cols());
  const bool may_hold_nan = std::isnan(all.sum());
  for (Index i = 0; i < count; ++i) {
    maxima(i) = largest(row_of(rows, i), may_hold_nan);
    if (std::abs(maxima(i)) < kInfinity) row_of(rows, i) -= maxima(i);
  }
}

/// exp of the first `count` rows, 0 where it is no normal number.
void exponentiate(Rows& rows, Index count) {
  Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64> all(rows.data(), count * rows.cols());
  all = all.exp();
  all = (all < kSmallestExponential).select(0.0f, all);
}

// A row that was −∞ throughout gives 0, one with NaN or +∞ gives NaN.
void divide_by_sum(PaddedRow row, float maximum) {
  if (std::abs(maximum) < kInfinity) {
    row /= row.sum();
  } else {
    row.setConstant(maximum == -kInfinity ? 0.0f : std::numeric_limits<float>::quiet_NaN());
  }
}

/// See Kernels::softmax.
void softmax(ConstBlock scores, Block weights) {
  const Index padded = (scores.cols + kVector - 1) / kVector * kVector;
  const size_t row_bytes = static_cast<size_t>(scores.cols) * sizeof(float);
  const Index batch = std::clamp<Index>(kScratch / padded, 1, scores.rows);
  Rows rows(batch, padded);
  Eigen::ArrayXf maxima(batch);
  for (Index first = 0; first < scores.rows; first += batch) {
    const Index count = std::min(batch, scores.rows - first);
    copy_rows({scores.data + first * scores.stride, count, scores.cols, scores.stride}, rows);
    shift_rows(rows, count, maxima);
    exponentiate(rows, count);
    for (Index i = 0; i < count; ++i) {
      divide_by_sum(row_of(rows, i), maxima(i));
      std::memcpy(weights.data + (first + i) * weights.stride, row_of(rows, i).data(), row_bytes);
    }
  }
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = {KERNELS_NAME,        multiply, multiply_add,
                          multiply_transposed, scale,    softmax};

}  // namespace attention::KERNELS_NAMESPACE
