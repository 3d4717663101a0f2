#pragma once

#include <string_view>

namespace lab::tokenizer {

/// The lower case of `c`: one character, or several if it has none of one (İ). It depends on `c`
/// alone: there is no final sigma. The result refers to `storage` or to a table.
std::u32string_view lower_case(char32_t c, char32_t& storage);

}  // namespace lab::tokenizer
