#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` in a form that can be shown: valid UTF-8, with every invalid byte as ⟨FF⟩ in hexadecimal,
/// control characters as their symbols (the block at U+2400), and characters that would break the
/// line or change its direction as their code point, ⟨U+2028⟩. Joiners are kept, because emoji need
/// them; in text made up only of blanks and joiners, a space is shown as ␣ and the others as their
/// code points.
std::string printable(std::string_view text);

}  // namespace lab
