#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>

namespace attention {

// Matrices allocated by one side are freed by the other.
static_assert(
    EIGEN_MAX_ALIGN_BYTES == 64,
    "define EIGEN_MAX_ALIGN_BYTES=64 wherever the attention core is used, as linking with "
    "the CMake target attention::core does: its library allocates matrices that way");

/// Dense float32 matrix. Rows are queries or tokens, columns are keys or features, always.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// One row of a Matrix.
using RowVector = Eigen::Matrix<float, 1, Eigen::Dynamic, Eigen::RowMajor>;

/// Read-only view of a Matrix or of a block of one; never copies.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;

/// View of a Matrix or of a block of one, to write into.
using MatrixSlot = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

using Index = Eigen::Index;

/// Number of rows and columns.
struct Shape {
  Index rows = 0;
  Index cols = 0;
  bool operator==(const Shape&) const = default;
};

/// True when both numbers are the same bit for bit: NaN equals itself, and −0 differs from 0.
inline bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace attention
