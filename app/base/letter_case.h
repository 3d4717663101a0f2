#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Letters in another case, by the tables of Unicode and for no language in particular. A program
// asks ICU, a page in a browser JavaScript.

namespace lab {

/// `text` (UTF-8) in lower case; "İ" becomes two characters, and a capital sigma that ends a word
/// ς.
std::string lower_case(std::string_view text);
/// In upper case; "ß" becomes "SS".
std::string upper_case(std::string_view text);
/// `text` for comparing without regard to case, in every script: "Он" and "он" give the same.
std::string casefold(std::string_view text);
/// The title case of one character where that is one character ("ǆ" becomes "ǅ"), else itself.
std::string title_case(std::int32_t character);

}  // namespace lab
