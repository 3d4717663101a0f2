#include "core/network/stored_matrix.h"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

namespace attention::network {
namespace {

float load_float32(const std::byte* from) {
  float value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float load_float16(const std::byte* from) {
  std::uint16_t bits;
  std::memcpy(&bits, from, sizeof bits);
  return static_cast<float>(std::bit_cast<Eigen::half>(bits));
}

float load_bfloat16(const std::byte* from) {
  std::uint16_t bits;
  std::memcpy(&bits, from, sizeof bits);
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

template <float (*load)(const std::byte*)>
void widen_row(const std::byte* from, std::size_t size, Index count, float* to, Index step) {
  for (Index i = 0; i < count; ++i, from += size) to[i * step] = load(from);
}

using WidenRow = void (*)(const std::byte*, std::size_t, Index, float*, Index);

WidenRow widen_row_of(StoredFormat format) {
  switch (format) {
    case StoredFormat::kFloat16:
      return widen_row<load_float16>;
    case StoredFormat::kBFloat16:
      return widen_row<load_bfloat16>;
    case StoredFormat::kFloat32:
      break;
  }
  return widen_row<load_float32>;
}

void require_within(const char* what, Index first, Index count, Index size) {
  if (first >= 0 && count >= 0 && first + count <= size) return;
  throw std::out_of_range(std::string(what) + " " + std::to_string(first) + " to " +
                          std::to_string(first + count) + " of " + std::to_string(size));
}

}  // namespace

std::size_t number_size(StoredFormat format) {
  return format == StoredFormat::kFloat32 ? sizeof(float) : sizeof(std::uint16_t);
}

StoredMatrix::StoredMatrix(SharedMatrix values) : shape_(values.shape()), stride_(values->cols()) {
  data_ = reinterpret_cast<const std::byte*>(values->data());
  owner_ = std::make_shared<SharedMatrix>(std::move(values));
}

StoredMatrix::StoredMatrix(std::shared_ptr<const void> owner, const std::byte* data,
                           StoredFormat format, Shape shape)
    : owner_(std::move(owner)), data_(data), format_(format), shape_(shape), stride_(shape.cols) {}

StoredMatrix StoredMatrix::transposed() const {
  StoredMatrix result = *this;
  std::swap(result.shape_.rows, result.shape_.cols);
  result.transposed_ = !transposed_;
  return result;
}

StoredMatrix StoredMatrix::columns(Index first, Index count) const {
  require_within("columns", first, count, shape_.cols);
  StoredMatrix result = *this;
  result.data_ +=
      static_cast<std::size_t>(first * (transposed_ ? stride_ : 1)) * number_size(format_);
  result.shape_.cols = count;
  return result;
}

StoredMatrix StoredMatrix::row_range(Index first, Index count) const {
  return transposed().columns(first, count).transposed();
}

void StoredMatrix::read(MatrixSlot result) const {
  const std::size_t size = number_size(format_);
  const WidenRow widen = widen_row_of(format_);
  const auto stored_row = [&](Index i) {
    return data_ + static_cast<std::size_t>(i * stride_) * size;
  };
  if (transposed_) {
    for (Index j = 0; j < cols(); ++j)
      widen(stored_row(j), size, rows(), result.data() + j, result.outerStride());
  } else {
    for (Index i = 0; i < rows(); ++i)
      widen(stored_row(i), size, cols(), result.data() + i * result.outerStride(), 1);
  }
}

Matrix StoredMatrix::values() const {
  Matrix result(rows(), cols());
  if (!empty()) read(result);
  return result;
}

const float* StoredMatrix::in_place() const {
  const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(float) == 0;
  if (format_ != StoredFormat::kFloat32 || !aligned) return nullptr;
  return reinterpret_cast<const float*>(data_);
}

bool StoredMatrix::operator==(const StoredMatrix& other) const {
  return data_ == other.data_ && shape_ == other.shape_ && stride_ == other.stride_ &&
         transposed_ == other.transposed_ && format_ == other.format_;
}

}  // namespace attention::network
