#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` as it can be shown: valid UTF-8, each byte that is none as ⟨FF⟩ in hexadecimal, control
/// characters as their picture (U+2400 block), and what would break the line or turn its direction
/// by its number, as ⟨U+2028⟩. Joiners stay, as emoji need them; text of nothing but blanks and
/// joiners shows a space as ␣ and the others by their numbers.
std::string printable(std::string_view text);

}  // namespace lab
