#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lab {

/// One character of a text, or one byte that belongs to none.
struct CodePoint {
  std::int32_t value = 0;  ///< below 0: the byte is no UTF-8
  std::size_t size = 1;    ///< in bytes
  /// True for a character.
  bool valid() const { return value >= 0; }
};

/// The character of `text` (UTF-8) at byte `at`. Precondition: at < text.size().
CodePoint code_point_at(std::string_view text, std::size_t at);

/// True when every byte of `text` belongs to a character of UTF-8.
bool is_utf8(std::string_view text);

}  // namespace lab
