#include "app/view/toolkit/number_input.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace lab::view {

std::optional<float> parse_number(std::string text) {
  constexpr std::string_view kMinus = "−";
  std::erase(text, ' ');
  if (text.starts_with(kMinus)) text.replace(0, kMinus.size(), "-");
  if (text.starts_with('+')) text.erase(0, 1);
  std::ranges::replace(text, ',', '.');
  float value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) return INFINITY;
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace lab::view
