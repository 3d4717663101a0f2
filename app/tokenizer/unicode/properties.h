#pragma once

#include <span>
#include <string_view>

#include "app/tokenizer/unicode/ranges.h"

// Sets of characters as the reference knows them. It mixes versions of Unicode: each set is what
// the reference was observed to do with every code point (see probe_reference.py).

namespace lab::tokenizer {

/// True if BERT's normalizer removes `c` when it cleans text.
bool is_removed_by_bert(char32_t c);
/// True if BERT's normalizer writes a blank for `c` when it cleans text.
bool is_bert_whitespace(char32_t c);
/// True if BERT's normalizer puts blanks around `c`, an ideograph.
bool is_chinese(char32_t c);
/// True if `c` is punctuation to the pre-tokenizers BertPreTokenizer and Punctuation.
bool is_punctuation(char32_t c);
/// True if BERT's normalizer takes `c` for an accent.
bool is_nonspacing_mark(char32_t c);
/// True if the normalizer StripAccents removes `c`.
bool is_combining_mark(char32_t c);
/// True if `c` is a number to the pre-tokenizer Digits.
bool is_numeric(char32_t c);
/// True if `c` is white space.
bool is_white_space(char32_t c);
/// True if `c` is part of a word to the pre-tokenizer Whitespace and to added tokens that match
/// whole words only.
bool is_word_character(char32_t c);

/// The code points with the property `name` in a regular expression, by short or long name of a
/// general category ("L", "Uppercase Letter"), name of a script ("Han"), or "word",
/// "word in brackets", "digit"; letter case, blanks, "-" and "_" do not matter. Surrogates are left
/// out. Empty if there is no table for it.
std::span<const CodePointRange> property_ranges(std::string_view name);

/// The number of the script of `character`, at least 1, or 0 if it has none. Only whether numbers
/// are equal means something. Kana have the number of Han, and the blank has none.
int script_number(char32_t character);

}  // namespace lab::tokenizer
