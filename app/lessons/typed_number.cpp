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

std::optional<double> decimal(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
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

}  // namespace lab
