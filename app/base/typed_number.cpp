#include "app/base/typed_number.h"

#include <cmath>

#include "app/base/parse_number.h"
#include "app/base/trimmed.h"
#include "app/base/typed_decimal.h"

namespace lab {
namespace {

std::optional<double> decimal(std::string_view text) {
  const auto plain = plain_decimal(text);
  const auto value = plain ? parse_number<double>(*plain) : std::nullopt;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

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

}  // namespace lab
