#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace lab {

// Numbers as programs write them: a point before the decimals and nothing between digits, whatever
// the locale. For tables that people keep in files see number_reading.h, for what they type see
// typed_number.h.

/// As std::from_chars does it: the number at the beginning of the characters, in decimal.
template <std::integral Whole>
std::from_chars_result from_characters(const char* first, const char* last, Whole& value) {
  return std::from_chars(first, last, value);
}
/// The nearest float, also "inf" and "nan"; out of range leaves `value` as it was.
std::from_chars_result from_characters(const char* first, const char* last, float& value);
/// The same for a double.
std::from_chars_result from_characters(const char* first, const char* last, double& value);
/// The same for a long double.
std::from_chars_result from_characters(const char* first, const char* last, long double& value);
/// The same by the C library, in its locale "C", which a standard library without from_chars for
/// such numbers (libc++ before version 20) needs.
std::from_chars_result from_characters_in_c(const char* first, const char* last, float& value);
/// The same for a double.
std::from_chars_result from_characters_in_c(const char* first, const char* last, double& value);
/// The same for a long double.
std::from_chars_result from_characters_in_c(const char* first, const char* last,
                                            long double& value);

/// Takes the number that `text` begins with off its front. Nothing, and `text` unchanged, when it
/// begins with no number or with one that `Number` cannot hold.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  Number value{};
  const auto [stop, error] = from_characters(text.data(), text.data() + text.size(), value);
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

/// The fewest decimal digits that read back as `value` bit for bit, with a point whatever the
/// locale: "0.7", "1e+30", "-0"; "nan", "inf" and "-inf".
std::string shortest_digits(float value);
/// The same for a double.
std::string shortest_digits(double value);

/// `value`, which is finite, a trace farther from 0, so that `decimals` places of it are rounded as
/// on paper, half a unit away from zero: 0.125 to 0.13. What counts are the shortest digits of a
/// float: 0.145f is a half though no binary fraction is. `decimals` may be negative.
double with_halves_away(float value, int decimals);
/// The same for a computed number, which is a half up to its rounding.
double with_halves_away(double value, int decimals);

/// `value`, which is finite, with at most `decimals` places and no trailing zeros: "0.7", "-12".
/// Halves are rounded away from zero.
std::string rounded_digits(double value, int decimals);

/// Appends the shortest decimal text (at most 9 significant digits, a decimal point in every
/// locale) that reads back as `value` bit for bit; "NaN", "Infinity", "-Infinity". Minus zero is
/// "-0.0", which JSON readers do not take for the integer 0.
void append_float(std::string& text, float value);

/// Appends `value` as JSON, which has no such numbers: "NaN", "Infinity" and "-Infinity" are put in
/// quotes.
void append_json_float(std::string& text, float value);

/// `text` if it is valid UTF-8, as JSON requires, else printable(text).
std::string storable(std::string_view text);

/// storable(text) as a JSON string in quotes.
std::string json_string(std::string_view text);

}  // namespace lab
