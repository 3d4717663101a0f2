#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The characters of `text`; U+FFFD for each byte that is no UTF-8.
std::u32string valid_characters(std::string_view text);

/// The characters of `text`, each one that every kind of file can hold and show: control characters
/// and ends of lines as their picture (U+2400 block), bytes that are no UTF-8 and code points that
/// are no characters as U+FFFD.
std::u32string visible_characters(std::string_view text);

/// Adds `character`, which is a valid one, to `text` in UTF-8.
void append_utf8(std::string& text, char32_t character);

/// `characters`, which are valid ones, in UTF-8.
std::string utf8(std::u32string_view characters);

/// What stands for `c` in the text and the attributes of XML and HTML: "&lt;"; empty where it
/// stands for itself.
std::string_view entity_of(char32_t c);

}  // namespace lab
