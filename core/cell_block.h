#pragma once

#include "core/matrix.h"

namespace attention {

/// Cells of a matrix that stand together: rows row … row + rows − 1, and so for columns.
struct CellBlock {
  Index row = 0, col = 0;    ///< its first cell
  Index rows = 1, cols = 1;  ///< how many of each
  /// True when the cell is one of them.
  bool contains(Index r, Index c) const {
    return r >= row && r < row + rows && c >= col && c < col + cols;
  }
  /// True when it is a single cell.
  bool is_cell() const { return rows == 1 && cols == 1; }
  bool operator==(const CellBlock&) const = default;
};

}  // namespace attention
