#include "app/figure/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lab {
namespace {

std::string not_finite(float value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "∞" : "−∞";
}

std::string to_text(float value, std::chars_format format, int precision) {
  std::array<char, 64> buffer{};  // the longest: 39 digits, a sign, a point and 9 decimals
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return {buffer.data(), result.ptr};
}

/// Zero has no sign for a reader: "-0.00" becomes "0.00".
std::string without_negative_zero(std::string text) {
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos)
    text.erase(0, 1);
  return text;
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

std::string format_significant(float value, int digits) {
  if (!std::isfinite(value)) return not_finite(value);
  return without_negative_zero(
      to_text(value, std::chars_format::general, std::clamp(digits, 1, 9)));
}

}  // namespace lab
