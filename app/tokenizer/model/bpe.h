#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/tokenizer/model/vocabulary.h"

namespace lab::tokenizer {

/// How a BPE model treats characters that it does not know, and the ends of words.
struct BpeOptions {
  std::string unk_token;                  ///< empty: unknown characters are dropped
  std::string continuing_subword_prefix;  ///< before all characters of a word but the first
  std::string end_of_word_suffix;         ///< after the last character of a word
  bool fuse_unk = false;                  ///< unknown characters side by side are one token
  bool byte_fallback =
      false;  ///< unknown characters become one token per byte, where there are any
  bool ignore_merges = false;  ///< a word that is a piece is not cut

  bool operator==(const BpeOptions&) const = default;
};

/// Byte-pair encoding: cuts a word into characters and joins neighbours, the merge of lowest rank
/// first and the leftmost of equals (Sennrich, Haddow and Birch 2016).
class Bpe {
 public:
  /// Without merges.
  Bpe(Vocabulary vocabulary, BpeOptions options);

  /// Adds the merge of next rank: `left` and `right` become one piece. Throws BadInput when one of
  /// the three is no piece of the vocabulary.
  void add_merge(std::string_view left, std::string_view right);
  /// Prepares for `count` merges.
  void reserve_merges(std::size_t count) { merges_.reserve(count); }

  /// The pieces of `word`. Throws BadInput when an unknown token is needed and missing from the
  /// vocabulary. Takes time in n log n for n characters.
  std::vector<ModelToken> tokens_of(std::string_view word) const;

  /// The pieces that words are cut into.
  const Vocabulary& vocabulary() const { return vocabulary_; }
  /// As they were given.
  const BpeOptions& options() const { return options_; }

 private:
  struct Merge {
    std::uint32_t rank = 0;
    std::uint32_t id = 0;
  };
  class Word;
  class Spelling;

  std::uint32_t piece(std::string_view text) const;
  const Merge* merge_of(std::uint32_t left, std::uint32_t right) const;

  Vocabulary vocabulary_;
  BpeOptions options_;
  std::vector<std::optional<std::uint32_t>> byte_ids_;
  std::unordered_map<std::uint64_t, Merge> merges_;
  std::uint32_t next_rank_ = 0;
};

}  // namespace lab::tokenizer
