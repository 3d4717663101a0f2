#pragma once

namespace lab::tokenizer {

/// The number of the script of `character`, at least 1, or 0 if it has none. Only whether numbers
/// are equal means something. Kana have the number of Han, and the blank has none.
int script_number(char32_t character);

}  // namespace lab::tokenizer
