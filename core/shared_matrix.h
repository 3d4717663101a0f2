#pragma once

#include <memory>
#include <utility>

#include "core/matrix.h"

namespace attention {

/// Copy-on-write handle to an immutable Matrix.
///
/// Copying a handle copies no numbers. The handle's identity is the version: two handles that
/// are `same_as` each other are known to hold the same numbers without looking at them, and
/// every edit makes a new identity. A default-made handle is empty, 0 × 0.
class SharedMatrix {
 public:
  /// An empty handle: 0 × 0.
  SharedMatrix() = default;

  /// Takes over `values` under a new identity.
  explicit SharedMatrix(Matrix values)
      : values_(std::make_shared<const Matrix>(std::move(values))) {}

  /// The numbers; a 0 × 0 matrix when empty. Valid as long as some handle holds them.
  const Matrix& operator*() const { return values_ ? *values_ : nothing(); }
  /// Access to the members of the Matrix.
  const Matrix* operator->() const { return &**this; }

  /// True when no numbers are held at all.
  bool empty() const { return values_ == nullptr; }
  /// Rows and columns.
  Shape shape() const { return {(**this).rows(), (**this).cols()}; }
  /// True when both handles share one identity (or are both empty).
  bool same_as(const SharedMatrix& other) const { return values_ == other.values_; }
  /// The identity as a key: unique among all handles alive at the same time.
  const void* identity() const { return values_.get(); }

  /// Replaces the numbers with what `edit(Matrix&)` makes of a copy; a new identity.
  template <typename Edit>
  void edit(Edit&& edit) {
    Matrix copy = **this;
    std::forward<Edit>(edit)(copy);
    values_ = std::make_shared<const Matrix>(std::move(copy));
  }

 private:
  static const Matrix& nothing() {
    static const Matrix empty;
    return empty;
  }

  std::shared_ptr<const Matrix> values_;
};

}  // namespace attention
