#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/document/document.h"

namespace lab::files {

/// Reads what a session says of its sentences — "sentence", "tokenizer", "tokens", "embedding", and
/// the same of the second one: "kv_sentence", "kv_tokens", "kv_embedding", or "X_kv" with
/// "kv_labels" — and embeds them. The document's config must have been read. Throws BadInput.
void read_sentences(const nlohmann::json& root, Document& document);

}  // namespace lab::files
