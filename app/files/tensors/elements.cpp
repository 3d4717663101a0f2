#include "app/files/tensors/elements.h"

#include <array>
#include <cmath>
#include <limits>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"

namespace lab::files {
namespace {

// The unsigned number of sizeof(Bits) bytes at `at`.
template <typename Bits>
Bits load(const char* at, std::endian order) {
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i) {
    const std::size_t byte = order == std::endian::little ? sizeof(Bits) - 1 - i : i;
    bits = static_cast<Bits>((std::uint64_t{bits} << 8) | static_cast<unsigned char>(at[byte]));
  }
  return bits;
}

float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal: fraction · 2⁻²⁴
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t rebased = exponent == 31 ? 255u : exponent + 127 - 15;
  return std::bit_cast<float>(sign | (rebased << 23) | (fraction << 13));
}

float from_double(double number) {
  if (std::isfinite(number) && std::fabs(number) > double{std::numeric_limits<float>::max()})
    throw BadInput(shortest_digits(number) + " is beyond float32, whose largest number is 3.4e38");
  return static_cast<float>(number);
}

template <typename Bits, typename Convert>
std::vector<float> convert_all(std::endian order, std::string_view bytes, Convert convert) {
  std::vector<float> values(bytes.size() / sizeof(Bits));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = convert(load<Bits>(bytes.data() + i * sizeof(Bits), order));
  return values;
}

// Numbers of type `Number`, whose bits are those of the unsigned type `Bits`.
template <typename Number, typename Bits>
std::vector<float> convert_numbers(std::endian order, std::string_view bytes) {
  return convert_all<Bits>(
      order, bytes, [](Bits bits) { return static_cast<float>(std::bit_cast<Number>(bits)); });
}

}  // namespace

std::int64_t element_size(ElementType type) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kU8:
    case ElementType::kI8:
      return 1;
    case ElementType::kU16:
    case ElementType::kI16:
    case ElementType::kF16:
    case ElementType::kBF16:
      return 2;
    case ElementType::kU32:
    case ElementType::kI32:
    case ElementType::kF32:
      return 4;
    case ElementType::kU64:
    case ElementType::kI64:
    case ElementType::kF64:
      return 8;
  }
  return 1;
}

std::vector<float> to_floats(ElementType type, std::endian order, std::string_view bytes) {
  using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
  switch (type) {
    case ElementType::kBool:
      return convert_all<uint8_t>(order, bytes, [](uint8_t b) { return b == 0 ? 0.0f : 1.0f; });
    case ElementType::kU8:
      return convert_numbers<uint8_t, uint8_t>(order, bytes);
    case ElementType::kI8:
      return convert_numbers<std::int8_t, uint8_t>(order, bytes);
    case ElementType::kU16:
      return convert_numbers<uint16_t, uint16_t>(order, bytes);
    case ElementType::kI16:
      return convert_numbers<std::int16_t, uint16_t>(order, bytes);
    case ElementType::kU32:
      return convert_numbers<uint32_t, uint32_t>(order, bytes);
    case ElementType::kI32:
      return convert_numbers<std::int32_t, uint32_t>(order, bytes);
    case ElementType::kU64:
      return convert_numbers<uint64_t, uint64_t>(order, bytes);
    case ElementType::kI64:
      return convert_numbers<std::int64_t, uint64_t>(order, bytes);
    case ElementType::kF16:
      return convert_all<uint16_t>(order, bytes, from_half);
    case ElementType::kBF16:
      return convert_all<uint16_t>(
          order, bytes, [](uint16_t b) { return std::bit_cast<float>(uint32_t{b} << 16); });
    case ElementType::kF32:
      return convert_numbers<float, uint32_t>(order, bytes);
    case ElementType::kF64:
      return convert_all<uint64_t>(
          order, bytes, [](uint64_t b) { return from_double(std::bit_cast<double>(b)); });
  }
  return {};
}

std::int64_t element_count(const std::vector<std::int64_t>& shape, std::int64_t most) {
  if (shape.size() > 32)
    throw BadInput(std::to_string(shape.size()) + " dimensions; at most 32 are allowed");
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) throw BadInput("a dimension of " + std::to_string(size));
    if (size == 0) {
      empty = true;
    } else if (count > most / size) {
      throw BadInput(shape_text(shape) + " is too large; at most " + std::to_string(most) +
                     " numbers are allowed");
    } else {
      count *= size;
    }
  }
  return empty ? 0 : count;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return "a scalar";
  std::string text;
  for (const std::int64_t size : shape) {
    if (!text.empty()) text += " × ";
    text += std::to_string(size);
  }
  return text;
}

}  // namespace lab::files
