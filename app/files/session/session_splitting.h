#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"

namespace lab::files {

class JsonWriter;

/// How the sentences of a session are split: its member "tokenizer", which is "words", "characters"
/// or {"file": name, "special_tokens": true}; words, if there is none. A tokenizer that cannot be
/// opened is left closed: the session lists its tokens. Throws BadInput.
Splitting read_splitting(const nlohmann::json& root);
/// Writes that member.
void write_splitting(JsonWriter& out, const Splitting& splitting);

/// The tokens of `sentence` in `list`, the member `name` of a session. Throws BadInput.
std::vector<Token> read_token_list(const nlohmann::json& list, const char* name,
                                   std::string_view sentence);
/// One token of such a list.
std::string token_json(const Token& token);

/// What a person should know about a tokenizer that is missing, or that splits the sentence
/// differently from the tokens that the session lists; empty if all is well.
std::vector<std::string> splitting_notes(const Document& document);

}  // namespace lab::files
