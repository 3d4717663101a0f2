#include "app/base/number_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"

namespace lab {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kMinus = "\u2212", kInfinity = "\u221E";
// Nobody writes numbers longer than this.
constexpr std::size_t kLongestNumber = 400;

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

NumberField number(float value) { return {NumberStatus::kNumber, value}; }

// A number out of the range of float32: too large, or so small that it is 0.
NumberField out_of_range(std::string_view text) {
  double value = 0;
  const auto [stop, error] = from_characters(text.data(), text.data() + text.size(), value);
  const bool tiny = error == std::errc()
                        ? std::abs(value) < 1
                        : text.find("e-") != text.npos || text.find("E-") != text.npos;
  return tiny ? number(static_cast<float>(value)) : NumberField{NumberStatus::kTooLarge};
}

// Reads a number without a sign; from_characters() itself would accept a minus.
NumberField read_magnitude(std::string_view text) {
  if (text == kInfinity) return number(std::numeric_limits<float>::infinity());
  if (text.empty() || text.size() > kLongestNumber || text[0] == '-' || text.ends_with(')'))
    return {};
  float value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = from_characters(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return {};
  return error == std::errc() ? number(value) : out_of_range(text);
}

NumberField with_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.size() > kLongestNumber) return read_magnitude(text);
  if (text.find('.') != text.npos) return {};
  std::string pointed(text);
  pointed[comma] = '.';
  return read_magnitude(pointed);
}

std::vector<std::string_view> split_at_blanks(std::string_view line) {
  std::vector<std::string_view> fields;
  for (line = trimmed_field(line); !line.empty(); line = trimmed_field(line)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return fields;
}

}  // namespace

NumberField read_number(std::string_view text, bool decimal_comma) {
  text = trimmed_field(text);
  const bool negative = take(text, "-") || take(text, kMinus);
  if (!negative) take(text, "+");
  NumberField field = decimal_comma ? with_comma(text) : read_magnitude(text);
  if (negative) field.value = -field.value;
  return field;
}

bool is_number(std::string_view text, bool decimal_comma) {
  return read_number(text, decimal_comma).status != NumberStatus::kNone;
}

std::string_view trimmed_field(std::string_view text) { return trimmed(text, kBlanks); }

std::vector<std::string_view> split_fields(std::string_view line, Separator separator) {
  if (separator == Separator::kBlanks) return split_at_blanks(line);
  const char between = separator == Separator::kComma ? ','
                       : separator == Separator::kTab ? '\t'
                                                      : ';';
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = line.find(between);
    fields.push_back(trimmed_field(line.substr(0, end)));
    if (end == line.npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  const bool both = text.substr(end).starts_with("\r\n");
  text.remove_prefix(std::min(end + (both ? 2 : 1), text.size()));
  return line;
}

std::string_view without_byte_order_mark(std::string_view text) {
  take(text, "\xEF\xBB\xBF");
  return text;
}

}  // namespace lab
