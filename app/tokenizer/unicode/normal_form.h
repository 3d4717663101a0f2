#pragma once

#include <string_view>
#include <vector>

#include "app/tokenizer/text/rewriter.h"

namespace lab::tokenizer {

/// The normalization forms of Unicode.
enum class NormalForm { kNfc, kNfd, kNfkc, kNfkd };

/// `text` in `form`, each character with what becomes of the old ones there. The tables are those
/// of Unicode 9, as in the reference: characters that are newer stay as they are.
std::vector<CharacterChange> normal_form(std::string_view text, NormalForm form);

/// The lower case of `c`: one character, or several if it has none of one (İ). It depends on `c`
/// alone: there is no final sigma. The result refers to `storage` or to a table.
std::u32string_view lower_case(char32_t c, char32_t& storage);

}  // namespace lab::tokenizer
