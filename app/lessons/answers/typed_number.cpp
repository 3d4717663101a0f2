#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/base/replace_all.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/reading/lesson_lines.h"

namespace lab::lessons {
namespace {

// What people type in place of a minus sign, an apostrophe and a blank.
std::string in_ascii(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMeant{
      {{"−", "-"}, {"–", "-"}, {"’", "'"}, {"\u00A0", " "}, {"\u202F", " "}}};
  std::string plain(text);
  for (const auto& [typed, meant] : kMeant) replace_all(plain, typed, meant);
  return plain;
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// True for the mark at `at` when just three digits stand behind it, and one at least before it.
bool parts_thousands(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
  return at > 0 && is_decimal_digit(text[at - 1]) && end == at + 4;
}

// Where the decimal mark is: the last comma or point, unless there are several of it.
std::size_t decimal_mark(std::string_view digits) {
  const std::size_t last = digits.find_last_of(",.");
  if (last == digits.npos || std::ranges::count(digits, digits[last]) > 1) return digits.npos;
  return last;
}

// "2 097 152", "2,097,152" and "2.097.152,5" without the marks that part thousands, and with a
// decimal point; nothing when they stand where they should not.
std::optional<std::string> without_groups(std::string_view digits) {
  const std::size_t point = std::min(decimal_mark(digits), digits.size());
  const std::string_view whole = digits.substr(0, point);
  const std::size_t first = whole.find_first_not_of("0123456789");
  if (first != whole.npos && (first > 3 || whole.front() == '0')) return std::nullopt;
  std::string plain;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (is_decimal_digit(whole[at])) {
      plain += whole[at];
    } else if (whole[at] != whole[first] || !parts_thousands(whole, at)) {
      return std::nullopt;
    }
  }
  if (point == digits.size()) return plain;
  return plain + "." + std::string(digits.substr(point + 1));
}

// "1,024" as 1024: what is left without the only mark when that can part thousands.
std::optional<std::string> as_thousands(std::string text) {
  const std::size_t mark = text.find_first_of(",.");
  const std::size_t digits = text.find_first_of("0123456789");
  if (mark == text.npos || text.find_first_of(",.", mark + 1) != text.npos) return std::nullopt;
  if (!parts_thousands(text, mark) || text[digits] == '0' || mark > digits + 3) return std::nullopt;
  return text.erase(mark, 1);
}

std::optional<double> decimal(std::string_view text) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text = trimmed(text.substr(1));
  if (text.starts_with('-')) return std::nullopt;
  const std::size_t end_of_digits = std::min(text.find_first_not_of("0123456789,.' "), text.size());
  auto plain = without_groups(text.substr(0, end_of_digits));
  if (!plain) return std::nullopt;
  plain->append(text.substr(end_of_digits));
  double value = 0;
  const auto [end, error] = std::from_chars(plain->data(), plain->data() + plain->size(), value);
  const bool whole = error == std::errc() && end == plain->data() + plain->size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

std::optional<double> typed_number(std::string_view text) {
  const std::string plain = in_ascii(trimmed(text));
  std::string_view rest = plain;
  const bool percent = rest.ends_with('%');
  if (percent) rest.remove_suffix(1);
  const std::size_t stroke = rest.find('/');
  const auto above = decimal(rest.substr(0, stroke));
  const auto below = stroke == rest.npos ? std::optional(1.0) : decimal(rest.substr(stroke + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below / (percent ? 100 : 1);
}

std::vector<double> meant_numbers(std::string_view text) {
  std::vector<double> meant;
  if (const auto number = typed_number(text)) meant.push_back(*number);
  if (const auto plain = as_thousands(in_ascii(trimmed(text)))) {
    if (const auto number = typed_number(*plain)) meant.push_back(*number);
  }
  return meant;
}

}  // namespace lab::lessons
