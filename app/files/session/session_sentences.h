#pragma once

#include <cstddef>

#include "app/base/json_cursor.h"
#include "app/document/document.h"

namespace lab::files {

/// Reads the sentences of a session — "sentence", "tokenizer", "tokens", "embedding", and for the
/// second one "kv_sentence", "kv_tokens", "kv_embedding", or "X_kv" with "kv_labels" — and embeds
/// them. The config of the document must have been read before. Throws BadInput.
void read_sentences(const JsonCursor& root, Document& document);

/// The list of sentences in a member "batch", of whatever kind they are.
struct SentenceList {
  JsonCursor sentences;     ///< a list of at most kMostSentences
  std::size_t current = 0;  ///< from 0: the place of the session's own sentence in it
};
/// Reads "current", which counts from 1, and "sentences" of `batch`, an object. Throws BadInput.
SentenceList read_sentence_list(const JsonCursor& batch);

/// Reads the member "batch" into `document`, which must have everything else already: {"current":
/// 2, "padded": true, "key_count": 0, "sentences": [{"sentence": "the cat", "set_aside": …}, {}]}.
/// Sentences count from 1; the current one is that of the session. Throws BadInput.
void read_batch(const JsonCursor& object, Document& document);

}  // namespace lab::files
