#include "app/base/float_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/printable.h"

namespace lab {

void append_float(std::string& text, float value) {
  if (std::isnan(value)) {
    text += "NaN";
  } else if (std::isinf(value)) {
    text += value > 0 ? "Infinity" : "-Infinity";
  } else if (value == 0) {
    text += std::signbit(value) ? "-0.0" : "0";
  } else {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
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
    (void)nlohmann::json(text).dump();  // refuses what is not UTF-8
    return std::string(text);
  } catch (const nlohmann::json::type_error&) {
    return printable(text);
  }
}

std::string json_string(std::string_view text) { return nlohmann::json(storable(text)).dump(); }

}  // namespace lab
