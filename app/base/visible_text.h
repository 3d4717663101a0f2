#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The characters of `text`, with U+FFFD for every byte that is not valid UTF-8.
std::u32string valid_characters(std::string_view text);

/// The characters of `text` in a form that every kind of file can hold and show: control characters
/// and line ends as their symbols (the block at U+2400), invalid bytes and code points that are not
/// characters as U+FFFD.
std::u32string visible_characters(std::string_view text);

/// Appends `character`, a valid code point, to `text` in UTF-8.
void append_utf8(std::string& text, char32_t character);

/// `characters`, which are valid code points, in UTF-8.
std::string utf8(std::u32string_view characters);

/// The entity for `c` in the text and attributes of XML and HTML, such as "&lt;"; empty when `c`
/// needs none.
std::string_view entity_of(char32_t c);

/// `text` in a form that can be shown: valid UTF-8, with every invalid byte as ⟨FF⟩ in hexadecimal,
/// control characters as their symbols (the block at U+2400), and characters that would break the
/// line or change its direction as their code point, ⟨U+2028⟩. Joiners are kept, because emoji need
/// them; in text made up only of blanks and joiners, a space is shown as ␣ and the others as their
/// code points.
std::string printable(std::string_view text);

}  // namespace lab
