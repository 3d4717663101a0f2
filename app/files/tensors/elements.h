#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::files {

/// The number types that the readers of tensors convert to float32.
enum class ElementType {
  kBool,
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kU64,
  kI64,
  kF16,
  kBF16,
  kF32,
  kF64
};

/// The size of one number in bytes.
std::int64_t element_size(ElementType type);

/// The numbers in `bytes` as float32, rounded to nearest; a boolean is 0 or 1. `order` is the byte
/// order of the file. Throws BadInput for a float64 beyond float32. Precondition: bytes.size() is a
/// multiple of the element size.
std::vector<float> to_floats(ElementType type, std::endian order, std::string_view bytes);

/// Most numbers in one file, so that a small element type cannot expand beyond memory.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

/// The number of elements of an array of that shape, 1 for a scalar. Throws BadInput when there are
/// more than 32 dimensions or `most` elements, or a dimension is negative.
std::int64_t element_count(const std::vector<std::int64_t>& shape,
                           std::int64_t most = kMostElements);

/// "2 × 8 × 3"; "a scalar" when there are no dimensions.
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace lab::files
