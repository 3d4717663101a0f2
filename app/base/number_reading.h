#pragma once

#include <string_view>
#include <vector>

namespace lab {

/// How a number of a text was read.
enum class NumberStatus {
  kNumber,
  kNone,     ///< it is no number
  kTooLarge  ///< beyond what float32 holds
};

/// A number out of a text.
struct NumberField {
  NumberStatus status = NumberStatus::kNone;
  float value = 0;  ///< 0 unless it is a number
};

/// The number that `text` spells, whatever the locale: decimals with a point, or with
/// `decimal_comma` with a comma too; a sign, which may be U+2212; an exponent; nan, inf, infinity
/// in letters of either size, and ∞. What is too small for float32 is 0. Blanks around it are
/// skipped.
NumberField read_number(std::string_view text, bool decimal_comma = false);

/// True when `text` spells a number.
bool is_number(std::string_view text, bool decimal_comma = false);

/// What stands between the fields of a line.
enum class Separator { kComma, kSemicolon, kTab, kBlanks };

/// True for separators that leave the comma free to stand in numbers.
constexpr bool allows_decimal_comma(Separator separator) {
  return separator == Separator::kSemicolon || separator == Separator::kTab;
}

/// `text` without the blanks, tabs and carriage returns around it.
std::string_view trimmed_field(std::string_view text);

/// The fields of a line, trimmed; quotes are letters like others. Runs of blanks and tabs count as
/// one where blanks separate.
std::vector<std::string_view> split_fields(std::string_view line, Separator separator);

/// The next line of `text` without its end ("\n" or "\r\n"), taken off it.
std::string_view take_line(std::string_view& text);

/// `text` without the byte order mark that some programs begin a file with.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace lab
