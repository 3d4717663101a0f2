#include "app/base/machine_numbers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/base/strings.h"
#include "app/base/visible_text.h"

namespace lab {
namespace {

template <typename Float>
std::string digits_of(Float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

// Where the decimal number that [first, last) begins with ends; `first` when there is none.
const char* end_of_number(const char* first, const char* last) {
  const auto digits = [&](const char* at) {
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at;
  };
  const char* const whole = first != last && *first == '-' ? first + 1 : first;
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    const bool fits = last - whole >= std::ssize(word);
    if (fits && std::ranges::equal(word, std::string_view(whole, word.size()), {}, {}, to_lower))
      return whole + word.size();
  }
  const char* end = digits(whole);
  const bool has_whole = end != whole;
  if (end != last && *end == '.') {
    const char* const fraction = end + 1;
    if (!has_whole && digits(fraction) == fraction) return first;
    end = digits(fraction);
  } else if (!has_whole) {
    return first;
  }
  if (end == last || (*end != 'e' && *end != 'E')) return end;
  const char* exponent = end + 1;
  if (exponent != last && (*exponent == '-' || *exponent == '+')) ++exponent;
  return digits(exponent) == exponent ? end : digits(exponent);
}

template <typename Float>
std::from_chars_result read_in_c(const char* first, const char* last, Float& value,
                                 Float (*read)(const char*, char**)) {
  const char* const end = end_of_number(first, last);
  if (end == first) return {first, std::errc::invalid_argument};
  errno = 0;
  const Float number = read(std::string(first, end).c_str(), nullptr);
  if (errno == ERANGE && (number == 0 || std::isinf(number)))
    return {end, std::errc::result_out_of_range};
  value = number;
  return {end, std::errc()};
}

}  // namespace

std::from_chars_result from_characters_in_c(const char* first, const char* last, float& value) {
  return read_in_c(first, last, value, &std::strtof);
}

std::from_chars_result from_characters_in_c(const char* first, const char* last, double& value) {
  return read_in_c(first, last, value, &std::strtod);
}

std::from_chars_result from_characters_in_c(const char* first, const char* last,
                                            long double& value) {
  return read_in_c(first, last, value, &std::strtold);
}

namespace {

template <typename Float>
std::from_chars_result read(const char* first, const char* last, Float& value) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
  return from_characters_in_c(first, last, value);
#else
  return std::from_chars(first, last, value);
#endif
}

}  // namespace

std::from_chars_result from_characters(const char* first, const char* last, float& value) {
  return read(first, last, value);
}
std::from_chars_result from_characters(const char* first, const char* last, double& value) {
  return read(first, last, value);
}
std::from_chars_result from_characters(const char* first, const char* last, long double& value) {
  return read(first, last, value);
}

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
  from_characters(digits.data(), digits.data() + digits.size(), read);
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
