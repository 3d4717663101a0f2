#pragma once

#include "core/matrix.h"
#include "core/shared_matrix.h"

namespace attention {

/// The part of a matrix that may have changed: nothing, whole rows, whole columns, or all of it.
struct Change {
  enum class Kind { kNone, kRows, kColumns, kWhole };
  Kind kind = Kind::kNone;
  Index first = 0;  ///< first row or column
  Index count = 0;  ///< how many

  /// All of it.
  static Change whole() { return {Kind::kWhole}; }
  /// Rows `first` … `first + count − 1`.
  static Change rows(Index first, Index count) { return {Kind::kRows, first, count}; }
  /// Columns `first` … `first + count − 1`.
  static Change columns(Index first, Index count) { return {Kind::kColumns, first, count}; }

  /// True when nothing changed.
  bool is_none() const { return kind == Kind::kNone; }
  /// True for a span of rows.
  bool is_rows() const { return kind == Kind::kRows; }
  /// True for a span of columns.
  bool is_columns() const { return kind == Kind::kColumns; }
  /// True when all of it may have changed.
  bool is_whole() const { return kind == Kind::kWhole; }
  bool operator==(const Change&) const = default;
};

/// The cells of a matrix of that shape that `change` covers. Precondition: it is not none.
CellBlock cells_of(const Change& change, Shape shape);

/// The smallest change that covers both: rows with rows, or columns with columns, include what lies
/// between them; different kinds give the whole.
Change either(const Change& a, const Change& b);

/// `change`, or the whole when it covers most of a matrix of that shape, which is faster to compute
/// in one piece.
Change simplified(const Change& change, Shape shape);

/// Which rows of `now` differ bit for bit from `before`: none, a span of rows, or the whole where
/// the shapes differ.
Change changed_rows(const SharedMatrix& before, const SharedMatrix& now);
/// The same by columns.
Change changed_columns(const SharedMatrix& before, const SharedMatrix& now);

}  // namespace attention
