#pragma once

#include "core/matrix.h"

namespace attention {

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

}  // namespace attention
