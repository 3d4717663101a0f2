#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

// Bytes that are no UTF-8, as JSON can hold them.

/// Two digits, 0 … 9 and a … f, for each byte.
std::string to_hex(std::string_view bytes);

/// The bytes; nothing when `hex` is not what to_hex writes.
std::optional<std::string> from_hex(std::string_view hex);

}  // namespace lab
