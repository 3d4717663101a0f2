#pragma once

namespace lab {

// Characters of ASCII, whatever the locale.

/// True for 0 … 9.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for A … Z and a … z.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace lab
