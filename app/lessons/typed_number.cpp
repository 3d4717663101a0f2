#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/lessons/answer.h"
#include "app/lessons/lesson_lines.h"

namespace lab {
namespace {

// What people type in place of a minus sign and a decimal point.
std::string in_ascii(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += c == ',' ? '.' : c;
  for (const std::string_view minus : {"−", "–"}) {
    for (std::size_t at = plain.find(minus); at != plain.npos; at = plain.find(minus))
      plain.replace(at, minus.size(), "-");
  }
  return plain;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True for the mark at `at` when just three digits stand behind it, and one at least before it.
bool parts_thousands(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
  return at > 0 && is_digit(text[at - 1]) && end == at + 4;
}

// Blanks and apostrophes part thousands; a comma or a point does where there are several, or where
// the other comes behind it.
bool is_group_mark(std::string_view text, std::size_t at) {
  const char mark = text[at];
  if (mark == ' ' || mark == '\'') return true;
  if (mark != ',' && mark != '.') return false;
  const char other = mark == ',' ? '.' : ',';
  return std::ranges::count(text, mark) > 1 || text.find(other, at) != text.npos;
}

// "2 097 152", "2,097,152" and "2.097.152" are 2097152.
std::string without_groups(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (!is_group_mark(text, at) || !parts_thousands(text, at)) plain += text[at];
  return plain;
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
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || text.starts_with('-')) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

std::optional<double> typed_number(std::string_view text) {
  const std::string plain = in_ascii(without_groups(trimmed(text)));
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
  if (const auto plain = as_thousands(without_groups(trimmed(text)))) {
    if (const auto number = typed_number(*plain)) meant.push_back(*number);
  }
  return meant;
}

}  // namespace lab
