#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/files/session/json_fields.h"

namespace lab::files {

/// How the sentences of a session are split: its member "tokenizer", which is "words", "characters"
/// or {"file": name, "special_tokens": true}; words, if there is none. A tokenizer that cannot be
/// opened is left closed: the session lists its tokens. Throws BadInput.
Splitting read_splitting(const JsonCursor& root);
/// Writes that member.
void write_splitting(JsonWriter& out, const Splitting& splitting);

/// The tokens of `sentence` in a list. Throws BadInput.
std::vector<Token> read_token_list(const JsonCursor& list, std::string_view sentence);
/// Writes one token of such a list.
void write_token(JsonWriter& out, const Token& token);

/// What a person should know about a tokenizer that is missing, or that splits the sentence
/// differently from the tokens that the session lists; empty if all is well.
std::vector<std::string> splitting_notes(const Document& document);

}  // namespace lab::files
