#pragma once

#include "core/matrix.h"
#include "core/shared_matrix.h"

namespace attention {

/// The part of a matrix that may have changed: nothing, whole rows, whole columns, or all of it.
struct Change {
  enum class Type { kNone, kRows, kColumns, kWhole };
  Type type = Type::kNone;
  Index first = 0;  ///< first row or column
  Index count = 0;  ///< how many

  /// All of it.
  static Change whole() { return {Type::kWhole}; }
  /// Rows `first` … `first + count − 1`.
  static Change rows(Index first, Index count) { return {Type::kRows, first, count}; }
  /// Columns `first` … `first + count − 1`.
  static Change columns(Index first, Index count) { return {Type::kColumns, first, count}; }

  /// True when nothing changed.
  bool is_none() const { return type == Type::kNone; }
  /// True for a span of rows.
  bool is_rows() const { return type == Type::kRows; }
  /// True for a span of columns.
  bool is_columns() const { return type == Type::kColumns; }
  /// True when all of it may have changed.
  bool is_whole() const { return type == Type::kWhole; }
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
