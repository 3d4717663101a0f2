#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

// Bytes as text of ASCII, for files that hold no others.

/// `bytes` encoded in base64.
std::string base64(std::string_view bytes);

/// The bytes that `text` encodes in base64; std::nullopt when base64() could not have written it.
std::optional<std::string> from_base64(std::string_view text);

/// `bytes` in hexadecimal, two lower-case digits per byte.
std::string to_hex(std::string_view bytes);

/// The bytes that `hex` spells; std::nullopt when to_hex could not have written it.
std::optional<std::string> from_hex(std::string_view hex);

}  // namespace lab
