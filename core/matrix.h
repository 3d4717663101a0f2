#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <string>

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

/// A rectangular block of cells: rows row … row + rows − 1, and columns likewise.
struct CellBlock {
  Index row = 0, col = 0;    ///< its first cell
  Index rows = 1, cols = 1;  ///< its size
  /// True when the block contains the cell.
  bool contains(Index r, Index c) const {
    return r >= row && r < row + rows && c >= col && c < col + cols;
  }
  /// True when it is a single cell.
  bool is_cell() const { return rows == 1 && cols == 1; }
  bool operator==(const CellBlock&) const = default;
};

/// A shape as text: "3 × 8".
inline std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + " × " + std::to_string(cols);
}

}  // namespace attention
