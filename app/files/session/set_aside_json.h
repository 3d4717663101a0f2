#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/document/document.h"
#include "app/files/session/json_writer.h"

// The member "set_aside" of a session: {"queries": [{"text": "cat", "key": "cat", "before": 1}, …],
// "keys": […], "mask": [[row, col], …], "bias": [[row, col, value], …], "overrides": […]}. Rows and
// columns that stand for words are places in the line of words, gone ones included; see
// app/document/words/set_aside.h.

namespace lab::files {

/// The gone words in the member `name` of `object`, if there is one; `path` is that of `object`,
/// and the sentence has `tokens` words. Throws BadInput.
std::vector<GoneWord> read_gone_words(const nlohmann::json& object, const char* name,
                                      const std::string& path, attention::Index tokens);

/// Writes gone words as that member, unless there are none.
void write_gone_words(JsonWriter& out, const char* name, const std::vector<GoneWord>& words);

/// Reads the member into `document`, which must have everything else already. Throws BadInput.
void read_set_aside(const nlohmann::json& object, Document& document);

/// Writes the member, unless nothing is set aside.
void write_set_aside(JsonWriter& out, const SetAside& aside);

}  // namespace lab::files
