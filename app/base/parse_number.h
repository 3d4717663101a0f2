#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace lab {

// Numbers as programs write them: a point before the decimals and nothing between digits, whatever
// the locale. For tables that people keep in files see number_reading.h, for what they type see
// typed_decimal.h.

/// Takes the number that `text` begins with off its front. Nothing, and `text` unchanged, when it
/// begins with no number or with one that `Number` cannot hold.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

/// The number that all of `text` spells; nothing for anything else, or when `Number` cannot hold
/// it.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  const auto value = take_number<Number>(text);
  return text.empty() ? value : std::nullopt;
}

}  // namespace lab
