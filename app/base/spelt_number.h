#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace lab {

/// The number that all of `text` spells as std::from_chars reads it, a point before decimals;
/// nothing for anything else, and for one that `Number` cannot hold. For numbers that people write
/// in files, see read_number().
template <typename Number>
std::optional<Number> spelt_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace lab
