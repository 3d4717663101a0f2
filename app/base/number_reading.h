#pragma once

#include <string_view>
#include <vector>

namespace lab {

/// How reading a number went.
enum class NumberStatus {
  kNumber,
  kNone,     ///< not a number
  kTooLarge  ///< beyond the range of float32
};

/// A number read from text.
struct NumberField {
  NumberStatus status = NumberStatus::kNone;
  float value = 0;  ///< 0 unless it is a number
};

/// The number that `text` spells, in every locale. Decimals follow a point or, with
/// `decimal_comma`, also a comma. Accepts a sign, which may be U+2212, an exponent, nan, inf and
/// infinity in any case, and ∞. A number too small for float32 reads as 0. Surrounding blanks are
/// skipped.
NumberField read_number(std::string_view text, bool decimal_comma = false);

/// True when `text` spells a number.
bool is_number(std::string_view text, bool decimal_comma = false);

/// What separates the fields of a line.
enum class Separator { kComma, kSemicolon, kTab, kBlanks };

/// True for separators that leave the comma free for use in numbers.
constexpr bool allows_decimal_comma(Separator separator) {
  return separator == Separator::kSemicolon || separator == Separator::kTab;
}

/// `text` without the blanks, tabs and carriage returns around it.
std::string_view trimmed_field(std::string_view text);

/// The trimmed fields of a line; quotes have no special meaning. With kBlanks, a run of blanks and
/// tabs counts as one separator.
std::vector<std::string_view> split_fields(std::string_view line, Separator separator);

/// Takes the next line off the front of `text` and returns it without its line end ("\n",
/// "\r\n" or "\r").
std::string_view take_line(std::string_view& text);

/// `text` without the byte order mark with which some programs begin a file.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace lab
