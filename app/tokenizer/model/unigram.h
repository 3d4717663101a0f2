#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/tokenizer/model/vocabulary.h"
#include "app/tokenizer/text/prefix_table.h"

namespace lab::tokenizer {

/// A unigram language model: cuts a word into the pieces whose logarithmic probabilities have the
/// largest sum (Kudo 2018; the Viterbi algorithm). The id of a piece is its place in the list.
class Unigram {
 public:
  /// `scores` are the logarithmic probabilities of the pieces by id; `unk_id` is the id of the
  /// unknown token, if there is one. Sums are of float32 with `single_precision`, as
  /// SentencePiece's own are. Throws BadInput when it is none of the pieces.
  Unigram(Vocabulary vocabulary, std::vector<double> scores, std::optional<std::uint32_t> unk_id,
          bool byte_fallback, bool single_precision = false);

  /// The pieces of `word`. Unknown characters side by side are one token, or one per byte with
  /// byte_fallback. Throws BadInput when an unknown token is needed and there is none.
  std::vector<ModelToken> tokens_of(std::string_view word) const;

  /// The pieces that words are cut into.
  const Vocabulary& vocabulary() const { return vocabulary_; }
  /// The id of the unknown token, if there is one.
  std::optional<std::uint32_t> unk_id() const { return unk_id_; }
  /// Whether an unknown character becomes one token for each of its bytes.
  bool byte_fallback() const { return byte_fallback_; }

 private:
  // The best way to reach a place of the word.
  struct Best {
    double score = 0;
    std::uint32_t id = 0;
    std::int64_t from = -1;  // where its last piece begins; -1: no way yet
  };

  std::vector<Best> best_ways(std::string_view word) const;
  std::uint32_t unknown() const;
  std::vector<TextRange> cut(std::string_view word) const;
  void add_tokens(std::string_view word, TextRange piece, std::vector<ModelToken>& tokens) const;

  Vocabulary vocabulary_;
  PrefixTable pieces_;
  std::vector<double> scores_;
  std::optional<std::uint32_t> unk_id_;
  double unknown_score_ = 0;
  bool byte_fallback_ = false;
  bool single_precision_ = false;
  std::vector<std::optional<std::uint32_t>> byte_ids_;
};

}  // namespace lab::tokenizer
