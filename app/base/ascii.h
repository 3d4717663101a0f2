#pragma once

namespace lab {

// Characters of ASCII, whatever the locale.

/// True for 0 … 9.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for A … Z and a … z.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The lower-case letter of A … Z; any other character as it is.
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace lab
