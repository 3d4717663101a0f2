#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/tokenizer/text/aligned_text.h"

namespace lab {

/// How a sentence is split into tokens.
enum class TokenMode {
  kWords,       ///< words, with punctuation split off: "tired." → tired + .
  kCharacters,  ///< user-perceived characters; white space is not a token
  kTokenizer,   ///< the pieces of a tokenizer.json
};

/// "words", "characters", "tokenizer".
std::string_view token_mode_name(TokenMode mode);
/// The mode of that name, or nothing.
std::optional<TokenMode> token_mode_from_name(std::string_view name);

/// The bytes of the words or characters of `sentence` (UTF-8) in order, split by Unicode text
/// segmentation (UAX #29), with dictionaries for scripts that are written without spaces. "didn't"
/// is one token. A byte that is not UTF-8 is a separate token. White space separates tokens and
/// is never part of one, and invisible characters alone (a joiner or a direction mark) are not a
/// token. Empty when there is nothing else. The time is proportional to the length, which the
/// caller limits. Throws std::runtime_error when ICU's data is not installed. Precondition: `mode`
/// is kWords or kCharacters.
std::vector<tokenizer::TextRange> segments(std::string_view sentence, TokenMode mode);

}  // namespace lab
