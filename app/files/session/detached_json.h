#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/document/document.h"
#include "app/files/session/json_writer.h"

// The member "set_aside" of a session: {"queries": [{"text": "cat", "key": "cat", "before": 1}, …],
// "keys": […], "mask": [[row, col], …], "bias": [[row, col, value], …], "overrides": […]}. Rows and
// columns that stand for words are places in the line of words, removed ones included; see
// app/document/words/detached.h.

namespace lab::files {

/// The removed words in the member `name` of `object`, if there is one; `path` is that of `object`,
/// and the sentence has `tokens` words. Throws BadInput.
std::vector<RemovedToken> read_removed_tokens(const nlohmann::json& object, const char* name,
                                              const std::string& path, attention::Index tokens);

/// Writes removed words as that member, unless there are none.
void write_removed_tokens(JsonWriter& out, const char* name,
                          const std::vector<RemovedToken>& words);

/// Reads the member into `document`, which must have everything else already. Throws BadInput.
void read_detached(const nlohmann::json& object, Document& document);

/// Writes the member, unless nothing is detached.
void write_detached(JsonWriter& out, const Detached& detached);

}  // namespace lab::files
