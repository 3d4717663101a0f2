#include "app/explain/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/typed_number.h"

namespace lab::explain {
namespace {

std::string not_finite(float value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "∞" : "−∞";
}

/// The place of the last digit of `value` in that format.
int last_place(float value, std::chars_format format, int precision) {
  if (format == std::chars_format::fixed || value == 0) return precision;
  const int digits = format == std::chars_format::general ? precision - 1 : precision;
  return digits - static_cast<int>(std::floor(std::log10(std::abs(double{value}))));
}

std::string to_text(float value, std::chars_format format, int precision) {
  std::array<char, 64> buffer{};  // the longest: 39 digits, a sign, a point and 9 decimals
  const double rounded = with_halves_away(value, last_place(value, format, precision));
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded, format, precision);
  return with_decimal_mark({buffer.data(), result.ptr});
}

/// Zero has no sign for a reader: "-0.00" becomes "0.00".
std::string without_negative_zero(std::string text) {
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos)
    text.erase(0, 1);
  return text;
}

/// "9.8e4": no plus sign and no leading zeros in the exponent.
std::string compact(float value, int digits) {
  std::string text = to_text(value, std::chars_format::scientific, digits);
  const std::size_t mark = text.find('e') + 1;
  if (text[mark] == '+') text.erase(mark, 1);
  const std::size_t first = mark + (text[mark] == '-' ? 1 : 0);
  while (first + 1 < text.size() && text[first] == '0') text.erase(first, 1);
  return text;
}

/// False for a number other than 0 that is below one unit of the last decimal, or of which, below
/// 0.01, the decimals show less than two digits.
bool has_digits(float value, int decimals) {
  const double size = std::abs(double{value});
  const double unit = std::pow(10.0, -std::clamp(decimals, 0, 9));
  const double least = std::max(unit, std::min(0.01, 10 * unit));
  const double rounding = 0.05 * std::pow(10.0, -std::max(1, decimals - 1)) * least;
  return size == 0 || !std::isfinite(value) || size + rounding >= least;
}

/// Significant digits of a number that is written by its size.
int significant_of(int decimals) { return std::max(1, decimals - 1) + 1; }

/// A number below 1 with that many significant digits and no exponent: "0.0071". Empty if it needs
/// more than 9 decimals.
std::string small_decimals(float value, int digits) {
  const double size = std::abs(double{value});
  if (size == 0 || size >= 1) return {};
  const int places = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
  return places > 9 ? std::string() : to_text(value, std::chars_format::fixed, places);
}

void add_if_shorter(std::vector<std::string>& texts, std::string text) {
  if (!text.empty() && text.size() < texts.back().size()) texts.push_back(std::move(text));
}

/// Adds fewer decimals, then forms with an exponent.
void add_shorter(std::vector<std::string>& texts, float value, int decimals) {
  while (--decimals >= 0)
    if (has_digits(value, decimals)) add_if_shorter(texts, format_fixed(value, decimals));
  for (const int digits : {1, 0}) add_if_shorter(texts, compact(value, digits));
}

/// True when that few decimals show two digits of the number, or all of it.
bool keeps_two_digits(float value, int decimals) {
  const double scaled = std::abs(double{value}) * std::pow(10.0, decimals);
  return scaled >= 10 || std::abs(scaled - std::round(scaled)) < 1e-6;
}

std::string small_text(float value, const CellNotation& notation) {
  std::string sized = compact(value, significant_of(notation.decimals) - 1);
  if (notation.small == CellNotation::Small::kExponent) return sized;
  if (notation.small == CellNotation::Small::kOneDigit) {
    // What rounds to a hundredth is written like one.
    constexpr float kNearlyHundredth = 0.0095f;
    const bool fixed = notation.decimals >= 2 && std::abs(value) >= kNearlyHundredth;
    return fixed ? format_fixed(value, 2) : compact(value, 0);
  }
  std::string text = small_decimals(value, significant_of(notation.decimals));
  return text.size() > sized.size() + 1 ? std::string() : text;
}

/// Every notation, the one that says most first.
std::vector<CellNotation> all_notations(int digits) {
  using Small = CellNotation::Small;
  std::vector<CellNotation> all;
  for (int decimals = digits; decimals >= kFewestDigits; --decimals)
    for (const Small small : {Small::kDecimals, Small::kExponent}) all.push_back({decimals, small});
  all.push_back({kFewestDigits, Small::kOneDigit});
  for (int decimals = kFewestDigits - 1; decimals >= 0; --decimals)
    all.push_back({decimals, Small::kOneDigit});
  return all;
}

/// True when the hyphen at `at` is the sign of a number or of an exponent.
bool is_sign(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size() || !is_digit(text[at + 1])) return false;
  if (at == 0 || std::string_view(" (^=").find(text[at - 1]) != std::string_view::npos) return true;
  return text[at - 1] == 'e' && at > 1 && is_digit(text[at - 2]);
}

/// As wide as on the screen: without the bytes that only continue a character.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string format_fixed(float value, int decimals) {
  if (!std::isfinite(value)) return not_finite(value);
  decimals = std::clamp(decimals, 0, 9);
  const std::string text = to_text(value, std::chars_format::fixed, decimals);
  if (static_cast<int>(text.size()) <= std::max(7, decimals + 5))
    return without_negative_zero(text);
  return to_text(value, std::chars_format::scientific, 1);
}

std::string adaptive_text(float value, int decimals) {
  if (has_digits(value, decimals)) return format_fixed(value, decimals);
  return compact(value, significant_of(decimals) - 1);
}

std::string exact_text(float value, int least, int most) {
  std::string text = adaptive_text(value, most);
  const std::size_t mark = text.find_first_of(".,");
  if (mark == std::string::npos || text.find('e') != std::string::npos) return text;
  const std::string digits = shortest_digits(value);
  const std::size_t point = std::min(digits.find('.'), digits.size() - 1);
  const std::size_t needed = std::max(digits.size() - 1 - point, static_cast<std::size_t>(least));
  const bool is_exact = digits.find('e') == std::string::npos;
  if (is_exact && needed < text.size() - 1 - mark)
    text.resize(mark + (needed == 0 ? 0 : needed + 1));
  return text;
}

std::vector<std::string> shorter_texts(float value, int decimals) {
  std::vector<std::string> texts{adaptive_text(value, decimals)};
  if (std::isfinite(value)) add_shorter(texts, value, decimals);
  return texts;
}

std::vector<std::string> cell_texts(float value, int decimals) {
  if (!std::isfinite(value) || has_digits(value, decimals)) return shorter_texts(value, decimals);
  const std::string sized = adaptive_text(value, decimals);
  std::vector<std::string> texts{small_decimals(value, significant_of(decimals))};
  if (texts.front().empty() || texts.front().size() > sized.size() + 1) texts.front() = sized;
  for (std::string text : {sized, small_decimals(value, 1)}) add_if_shorter(texts, std::move(text));
  add_shorter(texts, value, decimals);
  return texts;
}

std::string cell_text(float value, const CellNotation& notation) {
  if (!std::isfinite(value)) return not_finite(value);
  const int decimals = notation.decimals;
  if (decimals < kFewestDigits && !keeps_two_digits(value, decimals)) return {};
  if (decimals >= kFewestDigits && !has_digits(value, decimals)) return small_text(value, notation);
  std::string text = format_fixed(value, decimals);
  return text.find('e') == text.npos ? text : compact(value, 1);
}

std::optional<CellNotation> cell_notation(std::span<const float> values, int digits,
                                          std::size_t room) {
  for (CellNotation notation : all_notations(digits)) {
    const auto fits = [&](float value) {
      const std::size_t length = characters(cell_text(value, notation));
      notation.longest = std::max(notation.longest, length);
      return length > 0 && length <= room;
    };
    if (std::ranges::all_of(values, fits)) return notation;
  }
  return std::nullopt;
}

std::string format_significant(float value, int digits) {
  if (!std::isfinite(value)) return not_finite(value);
  return without_negative_zero(
      to_text(value, std::chars_format::general, std::clamp(digits, 1, 9)));
}

std::string row_sum_text(float sum) {
  constexpr float kRounding = 1e-5f;  // of adding up the largest rows
  std::string text = format_significant(sum, 3);
  const bool is_one = std::abs(sum - 1) <= kRounding;
  for (int digits = 4; !is_one && text == "1" && digits <= kMostDigits; ++digits)
    text = format_significant(sum, digits);
  return text;
}

std::string with_minus_signs(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-' && is_sign(text, i))
      result += "−";
    else
      result += text[i];
  }
  return result;
}

std::string percent_text(double share) {
  return std::isfinite(share) ? format_fixed(static_cast<float>(100 * share), 0) + " %" : "NaN";
}

}  // namespace lab::explain
