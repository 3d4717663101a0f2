#pragma once

#include <cstddef>
#include <memory>

#include "core/network/stored_format.h"
#include "core/shared_matrix.h"

namespace attention::network {

/// Rows of numbers that are computed from others while they are read, such as from quantised ones
/// whose scales lie elsewhere.
class ComputedRows {
 public:
  /// For classes that compute them.
  ComputedRows() = default;
  /// Views share one object by pointer.
  ComputedRows(const ComputedRows&) = delete;
  ComputedRows& operator=(const ComputedRows&) = delete;
  virtual ~ComputedRows() = default;
  /// Writes numbers `first` … `first` + `count` − 1 of a row to `to`. Several threads may call it
  /// at the same time.
  virtual void read(Index row, Index first, Index count, float* to) const = 0;
  /// The same rows, with what an adapter adds to them multiplied by `gain`, whatever it was
  /// multiplied by before; null where no adapter adds anything.
  virtual std::shared_ptr<const ComputedRows> with_adapter_gain(float gain) const;
};

/// Read-only view of a matrix of numbers where they are stored, such as in a mapped file: nothing
/// is copied, and what is not float32 is widened only while it is read. Cheap to copy; the memory
/// lives as long as any view of it. A default-constructed one is empty: 0 × 0.
class StoredMatrix {
 public:
  /// An empty one.
  StoredMatrix() = default;
  /// A matrix in memory.
  explicit StoredMatrix(SharedMatrix values);
  /// The numbers at `data`, row by row, in memory that `owner` keeps. They need not be aligned.
  /// Rows of a quantised format are whole blocks; throws std::invalid_argument for others.
  StoredMatrix(std::shared_ptr<const void> owner, const std::byte* data, StoredFormat format,
               Shape shape);
  /// Numbers that `rows` computes whenever they are read.
  StoredMatrix(const std::shared_ptr<const ComputedRows>& rows, Shape shape);

  /// True when it has no numbers.
  bool empty() const { return shape_.rows == 0 || shape_.cols == 0; }
  /// Number of rows.
  Index rows() const { return shape_.rows; }
  /// Number of columns.
  Index cols() const { return shape_.cols; }
  /// Rows and columns.
  Shape shape() const { return shape_; }
  /// The encoding of its numbers; kFloat32 where they are computed.
  StoredFormat format() const { return format_; }

  /// The same numbers with rows and columns exchanged.
  StoredMatrix transposed() const;
  /// Columns `first` … `first` + `count` − 1. Throws std::out_of_range when there are fewer.
  StoredMatrix columns(Index first, Index count) const;
  /// Rows `first` … `first` + `count` − 1. Throws std::out_of_range when there are fewer.
  StoredMatrix row_range(Index first, Index count) const;

  /// All numbers as float32.
  Matrix values() const;
  /// Writes all numbers as float32 to `result`, which must have this shape.
  void read(MatrixSlot result) const;

  /// The numbers when they are aligned float32, which can be used where they are; else null.
  const float* in_place() const;
  /// The first block of the stored rows, which are whole blocks of format() that follow each other
  /// at stride(); null where a row begins within a block, or numbers are computed.
  const std::byte* blocks_in_place() const;
  /// Distance of two stored rows, in numbers.
  std::ptrdiff_t stride() const { return stride_; }
  /// What computes its numbers; null where they are stored.
  const ComputedRows* computed() const { return computed_; }
  /// The same view of numbers that `rows` computes. Precondition: it is of computed ones, and they
  /// have the same shape.
  StoredMatrix of_rows(const std::shared_ptr<const ComputedRows>& rows) const;
  /// True when the stored rows are the columns of this matrix.
  bool is_transposed() const { return transposed_; }

  /// True when both are views of the same numbers.
  bool operator==(const StoredMatrix& other) const;

 private:
  void widen_row(Index stored_row, Index count, float* to) const;

  std::shared_ptr<const void> owner_;
  const std::byte* data_ = nullptr;         // the block of the first number; null: computed
  const ComputedRows* computed_ = nullptr;  // the owner, where they are computed
  Index first_ = 0;  // position of the first number in that block, or among all that are computed
  StoredFormat format_ = StoredFormat::kFloat32;
  Shape shape_;
  std::ptrdiff_t stride_ = 0;  // between stored rows, in numbers
  bool transposed_ = false;
};

}  // namespace attention::network
