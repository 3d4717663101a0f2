#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/tokenizer/model/vocabulary.h"

namespace lab::tokenizer {

/// Cuts a word into the longest known pieces, from left to right (Schuster and Nakajima 2012; the
/// greedy form of BERT). All but the first piece of a word carry a prefix in the vocabulary.
struct WordPiece {
  Vocabulary vocabulary;
  std::string unk_token = "[UNK]";
  std::string continuing_subword_prefix = "##";
  std::size_t max_input_chars_per_word = 100;  ///< longer words are unknown

  /// The pieces of `word`; one unknown token if it cannot be cut. Throws BadInput when that is
  /// needed and missing from the vocabulary.
  std::vector<ModelToken> tokens_of(std::string_view word) const;
};

/// Knows whole words only.
struct WordLevel {
  Vocabulary vocabulary;
  std::string unk_token = "<unk>";

  /// `word`, or the unknown token. Throws BadInput when that is needed and missing from the
  /// vocabulary.
  std::vector<ModelToken> tokens_of(std::string_view word) const;
};

}  // namespace lab::tokenizer
