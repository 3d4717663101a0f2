#include "app/base/typed_number.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "app/base/machine_numbers.h"
#include "app/base/number_reading.h"
#include "app/base/strings.h"

namespace lab {
namespace {

constexpr std::string_view kDecimalDigits = "0123456789";

// What people type in place of a minus sign, an apostrophe and a blank.
std::string in_ascii(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMeant{
      {{"−", "-"}, {"–", "-"}, {"’", "'"}, {"\u00A0", " "}, {"\u202F", " "}}};
  std::string plain(text);
  for (const auto& [typed, meant] : kMeant) replace_all(plain, typed, meant);
  return plain;
}

// True when the mark at `at` is followed by exactly three digits and preceded by at least one.
bool separates_thousands(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of(kDecimalDigits, at + 1), text.size());
  return at > 0 && is_digit(text[at - 1]) && end == at + 4;
}

// Where the decimal mark is: the last comma or point, unless it occurs several times.
std::size_t decimal_mark(std::string_view digits) {
  const std::size_t last = digits.find_last_of(",.");
  if (last == digits.npos || std::ranges::count(digits, digits[last]) > 1) return digits.npos;
  return last;
}

// "2 097 152", "2,097,152" and "2.097.152,5" without the marks between thousands and with a
// decimal point; nothing when a mark is misplaced.
std::optional<std::string> without_groups(std::string_view digits) {
  const std::size_t point = std::min(decimal_mark(digits), digits.size());
  const std::string_view whole = digits.substr(0, point);
  const std::size_t first = whole.find_first_not_of(kDecimalDigits);
  if (first != whole.npos && (first > 3 || whole.front() == '0')) return std::nullopt;
  std::string plain;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (is_digit(whole[at])) {
      plain += whole[at];
    } else if (whole[at] != whole[first] || !separates_thousands(whole, at)) {
      return std::nullopt;
    }
  }
  if (point == digits.size()) return plain;
  return plain + "." + std::string(digits.substr(point + 1));
}

std::optional<double> decimal(std::string_view text) {
  const auto plain = plain_decimal(text);
  const auto value = plain ? parse_number<double>(*plain) : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::atomic<bool> comma_is_mark{false};

}  // namespace

std::optional<std::string> plain_decimal(std::string_view typed) {
  const std::string ascii = in_ascii(typed);
  std::string_view text = trimmed(ascii);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text = trimmed(text.substr(1));
  if (text.starts_with('-')) return std::nullopt;
  const std::size_t end_of_digits = std::min(text.find_first_not_of("0123456789,.' "), text.size());
  const auto plain = without_groups(text.substr(0, end_of_digits));
  if (!plain) return std::nullopt;
  return (negative ? "-" : "") + *plain + std::string(text.substr(end_of_digits));
}

std::optional<std::string> decimal_with_thousands(std::string_view typed) {
  std::string text = in_ascii(typed);
  const std::size_t mark = text.find_first_of(",.");
  const std::size_t digits = text.find_first_of(kDecimalDigits);
  if (mark == text.npos || text.find_first_of(",.", mark + 1) != text.npos) return std::nullopt;
  if (!separates_thousands(text, mark) || text[digits] == '0' || mark > digits + 3)
    return std::nullopt;
  return text.erase(mark, 1);
}

std::optional<double> typed_number(std::string_view text) {
  std::string_view rest = trimmed(text);
  const bool percent = rest.ends_with('%');
  if (percent) rest.remove_suffix(1);
  const std::size_t stroke = rest.find('/');
  const auto above = decimal(rest.substr(0, stroke));
  const auto below = stroke == rest.npos ? std::optional(1.0) : decimal(rest.substr(stroke + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below / (percent ? 100 : 1);
}

std::vector<double> possible_numbers(std::string_view text) {
  std::vector<double> readings;
  if (const auto number = typed_number(text)) readings.push_back(*number);
  if (const auto plain = decimal_with_thousands(text)) {
    if (const auto number = typed_number(*plain)) readings.push_back(*number);
  }
  return readings;
}

void set_decimal_comma(bool comma) { comma_is_mark = comma; }

bool decimal_comma() { return comma_is_mark; }

std::string with_decimal_mark(std::string number) {
  if (comma_is_mark) std::ranges::replace(number, '.', ',');
  return number;
}

const char* between_numbers() { return comma_is_mark ? "; " : ", "; }

std::optional<float> parse_typed_number(std::string_view text) {
  const auto plain = plain_decimal(text);
  const NumberField number = plain ? read_number(*plain) : NumberField{};
  if (number.status == NumberStatus::kTooLarge) return INFINITY;
  if (number.status == NumberStatus::kNumber) return number.value;
  const auto quotient = typed_number(text);
  return quotient ? std::optional(static_cast<float>(*quotient)) : std::nullopt;
}

}  // namespace lab
