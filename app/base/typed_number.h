#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Numbers for people: as they type them, and the mark before the decimals of those that they read.

namespace lab {

/// Parses a number as people type it: "0.52", "0,52", "52 %", "1/2", "− 3", "2,097,152". A single
/// comma or point is a decimal mark. Returns nothing if the text is not a number.
std::optional<double> typed_number(std::string_view text);
/// All readings of the text as a number: "1,024" gives 1.024 and 1024. Empty if there is none.
std::vector<double> possible_numbers(std::string_view text);

/// What a person typed as a number, rewritten as parse_number() reads it: "0,52" is "0.52",
/// "− 3" is "-3", "2 097 152,5" is "2097152.5". A single comma or point precedes the decimals; a
/// mark that occurs several times separates thousands. Nothing when the marks are misplaced;
/// whether the rest is a number is for parse_number() to find out.
std::optional<std::string> plain_decimal(std::string_view typed);

/// The other way to read a number with one mark: "1,024" is "1024". Nothing when the mark cannot
/// separate thousands, or there is none.
std::optional<std::string> decimal_with_thousands(std::string_view typed);

/// Sets the mark for the whole process, as with a language: a comma if `comma`, else a point, which
/// it is until it is set. Other threads may format numbers at the same time.
void set_decimal_comma(bool comma);

/// True if the mark is a comma.
bool decimal_comma();

/// `number`, which was written with a point, with the mark of the process: "0.52" or "0,52".
std::string with_decimal_mark(std::string number);

/// What stands between numbers in a list: ", ", or "; " if the mark is a comma.
const char* between_numbers();

/// Reads a number as people type it in a cell: as typed_number() does, and ∞. Infinite when it is
/// too large; nothing when it is not a number.
std::optional<float> parse_typed_number(std::string_view text);

}  // namespace lab
