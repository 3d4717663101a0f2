#pragma once

#include <algorithm>

#include "core/matrix.h"

namespace attention::network {

/// A matrix to which rows are appended: it keeps room for more of them, so that a row at a time
/// does not copy those before it each time.
class RowBuffer {
 public:
  /// The rows in use.
  Index rows() const { return rows_; }
  /// All of them.
  MatrixView view() const { return storage_.topRows(rows_); }
  /// Some columns of them: [rows() × count].
  MatrixView columns(Index first, Index count) const {
    return storage_.block(0, first, rows_, count);
  }
  /// Some columns of the rows from `first_row` on, to write into.
  MatrixSlot block(Index first_row, Index first, Index count) {
    return storage_.block(first_row, first, rows_ - first_row, count);
  }
  /// The rows from `first_row` on, to write into.
  MatrixSlot rows_from(Index first_row) { return block(first_row, 0, storage_.cols()); }

  /// Makes room for [first_row + count × cols], of which the rows before `first_row` are kept and
  /// the others have no meaning yet. With a `first_row` of 0 there is no more room than that.
  void resize(Index first_row, Index count, Index cols) {
    rows_ = first_row + count;
    if (first_row == 0) {
      storage_.resize(rows_, cols);
    } else if (rows_ > storage_.rows()) {
      storage_.conservativeResize(room_for(rows_), cols);
    }
  }
  /// Rows that have room once a buffer was appended to up to `rows`, at most.
  static Index room_for(Index rows) { return rows + std::max<Index>(rows / 2, kLeastRoom); }

 private:
  static constexpr Index kLeastRoom = 64;

  Matrix storage_;
  Index rows_ = 0;
};

}  // namespace attention::network
