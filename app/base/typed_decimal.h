#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab {

/// What a person typed as a number, rewritten as parse_number() reads it: "0,52" is "0.52",
/// "− 3" is "-3", "2 097 152,5" is "2097152.5". A single comma or point precedes the decimals; a
/// mark that occurs several times separates thousands. Nothing when the marks are misplaced;
/// whether the rest is a number is for parse_number() to find out.
std::optional<std::string> plain_decimal(std::string_view typed);

/// The other way to read a number with one mark: "1,024" is "1024". Nothing when the mark cannot
/// separate thousands, or there is none.
std::optional<std::string> decimal_with_thousands(std::string_view typed);

}  // namespace lab
