#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lab::files {

/// The tokenizer in the metadata of a GGUF file as a tokenizer.json, the way transformers converts
/// it; null when there is none. Throws BadInput naming the key when it is damaged or its kind is
/// not supported. Appends to `notes` what a person should know.
nlohmann::json gguf_tokenizer(const nlohmann::json& metadata, std::vector<std::string>& notes);

}  // namespace lab::files
