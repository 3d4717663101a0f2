#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/base/error.h"

namespace lab::files {

/// What a tokenizer.json would say of the older files in `folder`, as transformers 5.24 makes one
/// of them: vocab.txt (word pieces) or vocab.json and merges.txt (byte pairs), with
/// tokenizer_config.json, special_tokens_map.json, added_tokens.json and, for the class of the
/// tokenizer, config.json. Null when they are not there, or the class is one that reads other
/// files. Fails with kIo when one cannot be read, and with kBadInput, naming it, when it is
/// damaged.
Expected<nlohmann::json> tokenizer_of_parts(const std::string& folder);

}  // namespace lab::files
