#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace lab {

/// Parses a number as people type it: "0.52", "0,52", "52 %", "1/2", "− 3", "2,097,152". A single
/// comma or point is a decimal mark. Returns nothing if the text is not a number.
std::optional<double> typed_number(std::string_view text);
/// All readings of the text as a number: "1,024" gives 1.024 and 1024. Empty if there is none.
std::vector<double> possible_numbers(std::string_view text);

}  // namespace lab
