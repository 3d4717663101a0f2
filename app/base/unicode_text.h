#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab {

/// One character of a text, or one byte that is not part of any character.
struct CodePoint {
  std::int32_t value = 0;  ///< negative: the byte is not valid UTF-8
  std::size_t size = 1;    ///< in bytes
  /// True for a character.
  bool valid() const { return value >= 0; }
};

/// The character of `text` (UTF-8) at byte `at`. Precondition: at < text.size().
CodePoint code_point_at(std::string_view text, std::size_t at);

/// True when `text` is valid UTF-8.
bool is_utf8(std::string_view text);

/// The text of a file as UTF-8 with lines that end in "\n", whatever wrote it: a byte order mark is
/// left out, UTF-16 with one is converted, and "\r\n" and "\r" become "\n". Fails with kBadInput
/// and the place of the first byte that is not text.
Expected<std::string> decoded_text(std::string_view bytes);

}  // namespace lab
