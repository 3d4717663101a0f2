#include "core/network/stored_matrix.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace attention::network {
namespace {

void require_within(const char* what, Index first, Index count, Index size) {
  if (first >= 0 && count >= 0 && first + count <= size) return;
  throw std::out_of_range(std::string(what) + " " + std::to_string(first) + " to " +
                          std::to_string(first + count) + " of " + std::to_string(size));
}

}  // namespace

StoredMatrix::StoredMatrix(SharedMatrix values) : shape_(values.shape()), stride_(values->cols()) {
  data_ = reinterpret_cast<const std::byte*>(values->data());
  owner_ = std::make_shared<SharedMatrix>(std::move(values));
}

StoredMatrix::StoredMatrix(std::shared_ptr<const void> owner, const std::byte* data,
                           StoredFormat format, Shape shape)
    : owner_(std::move(owner)), data_(data), format_(format), shape_(shape), stride_(shape.cols) {
  if (const Index block = stored_format_info(format).block; shape.cols % block != 0)
    throw std::invalid_argument("rows of " + std::to_string(shape.cols) +
                                " numbers are no whole blocks of " + std::to_string(block));
}

StoredMatrix::StoredMatrix(const std::shared_ptr<const ComputedRows>& rows, Shape shape)
    : owner_(rows), computed_(rows.get()), shape_(shape), stride_(shape.cols) {}

std::shared_ptr<const ComputedRows> ComputedRows::with_adapter_gain(float /*gain*/) const {
  return nullptr;
}

StoredMatrix StoredMatrix::of_rows(const std::shared_ptr<const ComputedRows>& rows) const {
  StoredMatrix result = *this;
  result.owner_ = rows;
  result.computed_ = rows.get();
  return result;
}

StoredMatrix StoredMatrix::transposed() const {
  StoredMatrix result = *this;
  std::swap(result.shape_.rows, result.shape_.cols);
  result.transposed_ = !transposed_;
  return result;
}

StoredMatrix StoredMatrix::columns(Index first, Index count) const {
  require_within("columns", first, count, shape_.cols);
  StoredMatrix result = *this;
  const StoredFormatInfo& info = stored_format_info(format_);
  const Index at = first_ + first * (transposed_ ? stride_ : 1);
  result.shape_.cols = count;
  if (computed_ != nullptr) {
    result.first_ = at;
    return result;
  }
  result.data_ += static_cast<std::size_t>(at / info.block) * info.bytes;
  result.first_ = at % info.block;
  return result;
}

StoredMatrix StoredMatrix::row_range(Index first, Index count) const {
  return transposed().columns(first, count).transposed();
}

// Writes the first `count` numbers of a stored row.
void StoredMatrix::widen_row(Index stored_row, Index count, float* to) const {
  if (count == 0) return;
  if (computed_ != nullptr)
    return computed_->read(first_ / stride_ + stored_row, first_ % stride_, count, to);
  const StoredFormatInfo& info = stored_format_info(format_);
  const std::byte* from =
      data_ + static_cast<std::size_t>(stored_row * stride_ / info.block) * info.bytes;
  Index skipped = first_;
  while (count > 0) {
    if (const Index whole = skipped == 0 ? count / info.block : 0; whole > 0) {
      info.widen(from, whole, to);
      from += static_cast<std::size_t>(whole) * info.bytes;
      to += whole * info.block;
      count -= whole * info.block;
      continue;
    }
    std::array<float, kLargestBlock> block;  // of which a part is needed
    info.widen(from, 1, block.data());
    const Index used = std::min(info.block - skipped, count);
    to = std::copy_n(block.data() + skipped, used, to);
    from += info.bytes;
    count -= used;
    skipped = 0;
  }
}

void StoredMatrix::read(MatrixSlot result) const {
  if (!transposed_) {
    for (Index i = 0; i < rows(); ++i)
      widen_row(i, cols(), result.data() + i * result.outerStride());
    return;
  }
  RowVector column(rows());
  for (Index j = 0; j < cols(); ++j) {
    widen_row(j, rows(), column.data());
    result.col(j) = column.transpose();
  }
}

Matrix StoredMatrix::values() const {
  Matrix result(rows(), cols());
  if (!empty()) read(result);
  return result;
}

const float* StoredMatrix::in_place() const {
  if (computed_ != nullptr) return nullptr;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(float) == 0;
  if (format_ != StoredFormat::kFloat32 || !aligned) return nullptr;
  return reinterpret_cast<const float*>(data_);
}

const std::byte* StoredMatrix::blocks_in_place() const {
  const Index block = stored_format_info(format_).block;
  const Index width = transposed_ ? rows() : cols();
  const bool whole = first_ == 0 && width % block == 0 && stride_ % block == 0;
  return whole && computed_ == nullptr ? data_ : nullptr;
}

bool StoredMatrix::operator==(const StoredMatrix& other) const {
  return data_ == other.data_ && computed_ == other.computed_ && first_ == other.first_ &&
         shape_ == other.shape_ && stride_ == other.stride_ && transposed_ == other.transposed_ &&
         format_ == other.format_;
}

}  // namespace attention::network
