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

}  // namespace lab::tokenizer
