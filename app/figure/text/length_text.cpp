#include "app/figure/text/length_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/byte_text.h"
#include "app/base/machine_numbers.h"

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
  const auto byte = [](std::uint8_t channel) { return static_cast<char>(channel); };
  const std::array channels{byte(colour.r), byte(colour.g), byte(colour.b)};
  return to_hex({channels.data(), channels.size()});
}

}  // namespace lab::figure
