#include "app/figure/text/length_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/base/float_text.h"

namespace lab::figure {

double rounded_length(double length) {
  constexpr double kLargest = 1e9;
  if (!std::isfinite(length)) return 0;
  return std::round(std::clamp(length, -kLargest, kLargest) * 100) / 100;
}

std::string length_text(double length) {
  const std::string text = rounded_digits(rounded_length(length), 2);
  return text == "-0" ? "0" : text;
}

std::string hex_text(Rgb colour) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t channel : {colour.r, colour.g, colour.b}) {
    text += kDigits[channel >> 4];
    text += kDigits[channel & 15];
  }
  return text;
}

}  // namespace lab::figure
