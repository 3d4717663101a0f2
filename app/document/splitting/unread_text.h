#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/document/splitting/splitting.h"

// What a tokenizer leaves out of a sentence: some vocabularies have neither all letters nor a token
// for those that they lack.

namespace lab {

/// The characters of `sentence` that give no token, each once, in their order. `tokens` are those
/// that `splitting` gives; where they do not know their bytes, none are found.
std::vector<std::string> unread_characters(std::string_view sentence,
                                           const std::vector<Token>& tokens,
                                           const Splitting& splitting);

/// What a person should know about them: “left out: “é”, “7””; empty without any.
std::string unread_note(const std::vector<std::string>& characters);

/// Why `sentence`, which gives no token, cannot be read: it is empty, or the vocabulary has none of
/// its characters.
std::string no_token_text(std::string_view sentence, const Splitting& splitting);

}  // namespace lab
