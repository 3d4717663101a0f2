#pragma once

#include <vector>

#include "app/document/document.h"
#include "app/files/session/json_fields.h"

// The member "set_aside" of a session: {"queries": [{"text": "cat", "key": "cat", "before": 1}, …],
// "keys": […], "mask": [[row, col], …], "bias": [[row, col, value], …], "overrides": […],
// "switched_off": [overrides that are switched off besides, …]}. Rows and columns that stand for
// words are indices in the line of words, removed ones included; see app/document/words/detached.h.

namespace lab::files {

/// A removed word. "key" is the text where it is missing.
template <>
struct JsonFields<RemovedToken> : OpenLine {
  static void visit(auto& word, auto&& members) {
    members("text", word.token.text);
    members.may_miss("key", word.token.key);
    members.unless_default("shown", word.token.shown);
    members.unless_default("word", word.token.word);
    members("before", word.before);
  }
};

/// The removed words of a sentence of `tokens` words, in order.
struct RemovedTokens : JsonList<RemovedToken> {
  /// For a sentence of `count` words.
  explicit RemovedTokens(attention::Index count) : tokens(count) {}
  /// Refuses words that are not in order, or beyond the end of the sentence.
  std::vector<RemovedToken> read(const JsonCursor& list) const;

  attention::Index tokens;
};

/// Reads the member into `document`, which must have everything else already. Throws BadInput.
void read_detached(const JsonCursor& object, Document& document);

/// Writes the member, unless nothing is detached.
void write_detached(JsonWriter& out, const Detached& detached);

}  // namespace lab::files
