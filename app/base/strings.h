#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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

/// `text` with ASCII letters in lower case.
inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

/// `text` without the characters of `blanks` at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The parts of `text` between the separators; one, which may be empty, where there is none.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// Replaces every occurrence of `from`, which must not be empty, by `to`. Replacements are not
/// searched again.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace lab
