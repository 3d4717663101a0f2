#pragma once

#include <string>
#include <string_view>

#include "app/tokenizer/tokenizer.h"

namespace lab::tokenizer {

/// How a person reads `piece`, a token of `tokenizer` as its vocabulary spells it: a blank as "·",
/// and bytes that are no character as ⟨E2⟩. "Ġit" and "▁it" are "·it", "##s" is itself. Printable.
std::string piece_label(const Tokenizer& tokenizer, std::string_view piece);

}  // namespace lab::tokenizer
