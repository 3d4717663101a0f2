#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "core/matrix.h"

namespace attention {

/// Copy-on-write handle to an immutable Matrix.
///
/// Copying a handle copies no numbers. Every new matrix gets a new version, so two handles of the
/// same version hold the same numbers and need not be compared. A handle that was
/// default-constructed or moved from is empty: 0 × 0, version 0.
class SharedMatrix {
 public:
  /// An empty handle: 0 × 0.
  SharedMatrix() = default;

  /// Takes ownership of `values`, with a new version.
  explicit SharedMatrix(Matrix values)
      : numbers_(std::make_shared<Numbers>(Numbers{std::move(values), next_version()})) {}

  /// The numbers; a 0 × 0 matrix when empty. Valid as long as some handle holds them.
  const Matrix& operator*() const { return numbers_ ? numbers_->matrix : nothing(); }
  /// Access to the members of the Matrix.
  const Matrix* operator->() const { return &**this; }

  /// True when it holds no matrix.
  bool empty() const { return numbers_ == nullptr; }
  /// Rows and columns.
  Shape shape() const { return {(**this).rows(), (**this).cols()}; }
  /// True when both handles have the same version (or both are empty).
  bool same_as(const SharedMatrix& other) const { return numbers_ == other.numbers_; }
  /// The version: unique within a run of the program; 0 when empty.
  std::uint64_t version() const { return numbers_ ? numbers_->version : 0; }

  /// Calls `edit(Matrix&)` on a copy of the numbers and holds the copy from then on; a new version.
  template <typename Edit>
  void edit(Edit&& edit) {
    Matrix copy = **this;
    std::forward<Edit>(edit)(copy);
    *this = SharedMatrix(std::move(copy));
  }

  /// The numbers, moved when no other handle holds them and copied otherwise; this handle is empty
  /// afterwards.
  Matrix release();

  /// A matrix of that shape with unspecified numbers: the storage of this handle when it has that
  /// shape and no other handle holds it, otherwise new storage. This handle is empty afterwards.
  Matrix recycle(Shape shape);

 private:
  // The version is stored with the matrix, so that no handle can have one without the other.
  struct Numbers {
    Matrix matrix;
    std::uint64_t version;
  };

  static const Matrix& nothing();
  static std::uint64_t next_version();

  std::shared_ptr<Numbers> numbers_;  // only release() and recycle() modify it, as its only owner
};

}  // namespace attention
