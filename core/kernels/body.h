// The kernels, to be compiled once for each instruction set. The including file names the
// instruction set in KERNELS_NAME and the namespace in KERNELS_NAMESPACE; where there are several,
// it renames the namespace Eigen first, so that no linker takes one for another.

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/kernels/blocks.h"

namespace attention::KERNELS_NAMESPACE {
namespace {

using EigenMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = std::ptrdiff_t;
using In = Eigen::Map<const EigenMatrix, Eigen::Unaligned, Eigen::OuterStride<>>;
using Out = Eigen::Map<EigenMatrix, Eigen::Unaligned, Eigen::OuterStride<>>;
using Row = Eigen::Array<float, 1, Eigen::Dynamic, Eigen::RowMajor>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Eigen's vectorised exp does not fall below about 4e-39, not even for −∞. Whatever is smaller
// than a normal float is set to 0.
constexpr float kSmallestExponential = std::numeric_limits<float>::min();

In in(const ConstBlock& b) { return {b.data, b.rows, b.cols, Eigen::OuterStride<>(b.stride)}; }
Out out(const Block& b) { return {b.data, b.rows, b.cols, Eigen::OuterStride<>(b.stride)}; }

void multiply(ConstBlock a, ConstBlock b, const float* bias, Block result) {
  out(result).noalias() = in(a) * in(b);
  if (bias == nullptr) return;
  out(result).rowwise() += Eigen::Map<const Eigen::RowVectorXf>(bias, result.cols);
}

void multiply_add(ConstBlock a, ConstBlock b, Block result) {
  out(result).noalias() += in(a) * in(b);
}

void multiply_transposed(ConstBlock a, ConstBlock b, Block result) {
  out(result).noalias() = in(a) * in(b).transpose();
}

void scale(ConstBlock values, float factor, Block result) {
  out(result) = in(values) * factor;
}

// Softmax of one row whose largest number is finite. `scratch` is filled up to whole vectors, so
// that each exponential is computed the same way wherever it stands in the row.
void softmax_row(const float* scores, Index cols, float maximum, Row& scratch, float* weights) {
  scratch.head(cols) = Eigen::Map<const Row>(scores, cols) - maximum;
  scratch.tail(scratch.size() - cols).setConstant(-kInfinity);
  scratch = scratch.exp();
  scratch = (scratch < kSmallestExponential).select(0.0f, scratch);
  Eigen::Map<Row>(weights, cols) = scratch.head(cols) / scratch.sum();
}

// A row that is −∞ throughout gives 0, a row with NaN or +∞ gives NaN.
void softmax(ConstBlock scores, Block weights) {
  constexpr Index kVector = 16;
  Row scratch((scores.cols + kVector - 1) / kVector * kVector);
  for (Index i = 0; i < scores.rows; ++i) {
    const float maximum = in(scores).row(i).maxCoeff<Eigen::PropagateNaN>();
    if (std::abs(maximum) < kInfinity) {
      softmax_row(scores.data + i * scores.stride, scores.cols, maximum, scratch,
                  weights.data + i * weights.stride);
    } else {
      const float filler = maximum == -kInfinity ? 0.0f : std::numeric_limits<float>::quiet_NaN();
      out(weights).row(i).setConstant(filler);
    }
  }
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = {KERNELS_NAME, multiply, multiply_add, multiply_transposed, scale, softmax};

}  // namespace attention::KERNELS_NAMESPACE
