#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/document/document.h"

namespace lab::files {

/// Reads the sentences of a session — "sentence", "tokenizer", "tokens", "embedding", and for the
/// second one "kv_sentence", "kv_tokens", "kv_embedding", or "X_kv" with "kv_labels" — and embeds
/// them. The config of the document must have been read before. Throws BadInput.
void read_sentences(const nlohmann::json& root, Document& document);

/// Reads the member "batch" into `document`, which must have everything else already: {"current":
/// 2, "padded": true, "key_count": 0, "sentences": [{"sentence": "the cat", "set_aside": …}, {}]}.
/// Sentences count from 1; the current one is that of the session. Throws BadInput.
void read_batch(const nlohmann::json& object, Document& document);

}  // namespace lab::files
