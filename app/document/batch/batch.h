#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/document/token.h"
#include "app/document/words/detached.h"
#include "core/matrix.h"

namespace lab {

/// The most sentences of a batch.
inline constexpr std::size_t kMostSentences = 64;

/// A sentence of a batch while another one is shown.
struct BatchSentence {
  std::string text;                                ///< as typed
  std::string kv_text;                             ///< the second sentence; empty in self-attention
  std::vector<Token> tokens = {}, kv_tokens = {};  ///< of both, without padding
  /// Everything that belongs to its words: painted mask, score bias and overrides; never null.
  std::shared_ptr<const Detached> detached = nothing_detached();

  /// Compares what is detached by identity.
  bool operator==(const BatchSentence&) const = default;
};

/// Several sentences over the same weights and words. One of them is the sentence of the document,
/// and its place in the list is empty.
struct Batch {
  std::vector<BatchSentence> sentences = {};  ///< none: the document has a single sentence
  std::size_t current = 0;                    ///< from 0: the one that the document shows
  bool padded = false;  ///< every sentence is as long as the longest one, by padding
  int key_count = 0;    ///< MaskRules::key_count without padding

  bool operator==(const Batch&) const = default;
};

/// The text and the key of a token that only fills a sentence up.
inline constexpr const char* kPadding = "[pad]";

/// Stands in for the tokens of a sentence that has been left: no sentence is split into it.
inline Token no_sentence() { return {.text = "\x01", .key = "\x01"}; }

/// The tokens without the padding at their end.
inline std::vector<Token> without_padding(const Batch& batch, std::vector<Token> tokens) {
  if (!batch.padded) return tokens;
  while (tokens.size() > 1 && tokens.back().key == kPadding) tokens.pop_back();
  return tokens;
}

}  // namespace lab
