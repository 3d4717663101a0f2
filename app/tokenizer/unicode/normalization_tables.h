#pragma once

#include <optional>
#include <string>

// What the normalization forms of Unicode look up. The tables are those of Unicode 9, as in the
// reference: newer characters have no decomposition and the combining class 0, and nothing is
// composed of them. A program asks ICU, a page in a browser JavaScript.

namespace lab::tokenizer {

/// The characters that `character` consists of, decomposed as far as they go: canonically, or where
/// `compatible` also those that are only for compatibility ("ﬁ" becomes "fi"). Empty where it stays
/// as it is. Throws std::runtime_error when there are no tables.
std::u32string decomposition(char32_t character, bool compatible);

/// The canonical combining class, 0 to 254: marks after a character are in its order.
int combining_class(char32_t character);

/// The character that is canonically equivalent to both, one after the other; nothing when there is
/// none.
std::optional<char32_t> composition(char32_t first, char32_t second);

}  // namespace lab::tokenizer
