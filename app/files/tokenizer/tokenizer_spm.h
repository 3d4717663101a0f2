#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lab::files {

/// What a tokenizer.json would say of the file of SentencePiece in `folder` (tokenizer.model,
/// spiece.model, sentencepiece.bpe.model …), as transformers 5.24 makes one of it, with
/// tokenizer_config.json, special_tokens_map.json and added_tokens.json. Null when there is none,
/// or the class of the tokenizer reads other files, or is not known here. Throws Error when a file
/// cannot be read, and BadInput, naming it, when it is damaged.
nlohmann::json tokenizer_of_spm(const std::string& folder);

}  // namespace lab::files
