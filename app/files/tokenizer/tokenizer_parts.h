#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/base/error.h"

namespace lab::files {

/// What a tokenizer.json would say of the older files in `folder`, as transformers 5.24 makes one
/// of them: vocab.txt (word pieces), vocab.json and merges.txt (byte pairs) or files of
/// SentencePiece, with tokenizer_config.json, special_tokens_map.json, added_tokens.json and, for
/// the class of the tokenizer, config.json. Null when they are not there, or the class is one that
/// reads other files. `of_target`: the same for what a decoder reads after an encoder; null unless
/// that has a tokenizer of its own. Fails with kIo when a file cannot be read, and with kBadInput,
/// naming it, when it is damaged.
Expected<nlohmann::json> tokenizer_of_parts(const std::string& folder, bool of_target = false);

}  // namespace lab::files
