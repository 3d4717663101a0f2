#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::files {

/// The unsigned number that `bytes` (at most 8) encode, lowest byte first.
inline std::uint64_t load_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// Appends the lowest `size` bytes of `value`, lowest first.
inline void append_little_endian(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
}

/// Appends the numbers as little-endian float32.
inline void append_floats(std::string& bytes, const std::vector<float>& values) {
  bytes.reserve(bytes.size() + values.size() * sizeof(float));
  for (const float value : values)
    append_little_endian(bytes, std::bit_cast<std::uint32_t>(value), 4);
}

}  // namespace lab::files
