#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "app/tokenizer/model/bpe.h"
#include "app/tokenizer/model/unigram.h"

namespace lab::tokenizer {

/// Cuts words as another model does, and numbers the pieces by a vocabulary of its own: what
/// Marian's and M2M-100's tokenizers make of a file of SentencePiece and a vocab.json. Not in
/// tokenizer.json.
class Renumbered {
 public:
  using Inner = std::variant<Bpe, Unigram>;

  /// `unk_id` is the id of what `vocabulary` does not have. `inner` has no pieces for bytes.
  Renumbered(Inner inner, Vocabulary vocabulary, std::uint32_t unk_id)
      : inner_(std::move(inner)), vocabulary_(std::move(vocabulary)), unk_id_(unk_id) {}

  /// The pieces of `word`. Throws as the model that cuts.
  std::vector<ModelToken> tokens_of(std::string_view word) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  Inner inner_;
  Vocabulary vocabulary_;
  std::uint32_t unk_id_ = 0;
};

}  // namespace lab::tokenizer
