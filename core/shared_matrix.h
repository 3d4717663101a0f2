#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/matrix.h"

namespace attention {

/// Copy-on-write handle to an immutable Matrix.
///
/// Copying a handle copies no numbers. Every handle that was made from other numbers has another
/// version: two handles of one version are known to hold the same numbers without looking at them.
/// A handle that was made from nothing or moved from is empty, 0 × 0, of version 0.
class SharedMatrix {
 public:
  /// An empty handle: 0 × 0.
  SharedMatrix() = default;

  /// Takes over `values` under a new version.
  explicit SharedMatrix(Matrix values)
      : numbers_(std::make_shared<Numbers>(Numbers{std::move(values), next_version()})) {}

  /// The numbers; a 0 × 0 matrix when empty. Valid as long as some handle holds them.
  const Matrix& operator*() const { return numbers_ ? numbers_->matrix : nothing(); }
  /// Access to the members of the Matrix.
  const Matrix* operator->() const { return &**this; }

  /// True when no numbers are held at all.
  bool empty() const { return numbers_ == nullptr; }
  /// Rows and columns.
  Shape shape() const { return {(**this).rows(), (**this).cols()}; }
  /// True when both handles are of one version (or both empty).
  bool same_as(const SharedMatrix& other) const { return numbers_ == other.numbers_; }
  /// The version: never given twice in a run of the program; 0 when empty.
  std::uint64_t version() const { return numbers_ ? numbers_->version : 0; }

  /// Replaces the numbers with what `edit(Matrix&)` makes of a copy; a new version.
  template <typename Edit>
  void edit(Edit&& edit) {
    Matrix copy = **this;
    std::forward<Edit>(edit)(copy);
    *this = SharedMatrix(std::move(copy));
  }

  /// The numbers, moved out where no other handle holds them and copied where one does; this
  /// handle is empty afterwards.
  Matrix release();

  /// A matrix of that shape whose numbers are not specified: the storage of this handle where it
  /// has that shape and no other handle holds it, else new storage. This handle is empty
  /// afterwards.
  Matrix recycle(Shape shape);

 private:
  // The version stands beside the matrix, so that no handle can have one without the other.
  struct Numbers {
    Matrix matrix;
    std::uint64_t version;
  };

  static const Matrix& nothing();
  static std::uint64_t next_version();

  std::shared_ptr<Numbers> numbers_;  // changed by release() and recycle() alone, as the only owner
};

}  // namespace attention
