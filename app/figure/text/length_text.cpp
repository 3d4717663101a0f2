#include "app/figure/text/length_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace lab::figure {

double rounded_length(double length) {
  constexpr double kLargest = 1e9;
  if (!std::isfinite(length)) return 0;
  return std::round(std::clamp(length, -kLargest, kLargest) * 100) / 100;
}

std::string length_text(double length) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                          rounded_length(length), std::chars_format::fixed, 2);
  std::string text(buffer.data(), end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
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
