#include "app/base/machine_numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/visible_text.h"

namespace lab {
namespace {

template <typename Float>
std::string digits_of(Float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

std::string shortest_digits(float value) { return digits_of(value); }
std::string shortest_digits(double value) { return digits_of(value); }

double with_halves_away(double value, int decimals) {
  constexpr double kTrace = 1e-6;  // of a unit of the last digit
  if (value == 0) return value;
  return value + std::copysign(kTrace * std::pow(10.0, -decimals), value);
}

double with_halves_away(float value, int decimals) {
  const std::string digits = shortest_digits(value);
  double read = double{value};
  std::from_chars(digits.data(), digits.data() + digits.size(), read);
  return with_halves_away(read, decimals);
}

std::string rounded_digits(double value, int decimals) {
  std::array<char, 400> digits{};  // the largest number has 309 digits before the point
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), with_halves_away(value, decimals),
                    std::chars_format::fixed, decimals);
  std::string text(digits.data(), end.ptr);
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void append_float(std::string& text, float value) {
  if (std::isnan(value)) {
    text += "NaN";
  } else if (std::isinf(value)) {
    text += value > 0 ? "Infinity" : "-Infinity";
  } else if (value == 0) {
    text += std::signbit(value) ? "-0.0" : "0";
  } else {
    text += shortest_digits(value);
  }
}

void append_json_float(std::string& text, float value) {
  const bool quote = !std::isfinite(value);
  if (quote) text += '"';
  append_float(text, value);
  if (quote) text += '"';
}

std::string storable(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();  // throws when it is not UTF-8
    return std::string(text);
  } catch (const nlohmann::json::type_error&) {
    return printable(text);
  }
}

std::string json_string(std::string_view text) { return nlohmann::json(storable(text)).dump(); }

}  // namespace lab
