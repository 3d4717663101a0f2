#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

// Bytes that are not valid UTF-8, in a form that JSON can hold.

/// `bytes` in hexadecimal, two lower-case digits per byte.
std::string to_hex(std::string_view bytes);

/// The bytes that `hex` spells; nothing when to_hex could not have written it.
std::optional<std::string> from_hex(std::string_view hex);

}  // namespace lab
