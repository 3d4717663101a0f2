#pragma once

#include <variant>
#include <vector>

#include "app/tokenizer/encoding.h"
#include "app/tokenizer/model/bpe.h"
#include "app/tokenizer/model/renumbered.h"
#include "app/tokenizer/model/unigram.h"
#include "app/tokenizer/model/word_models.h"
#include "app/tokenizer/text/pieces.h"

namespace lab::tokenizer {

/// The models of tokenizer.json, by the names they have there, and Renumbered.
using Model = std::variant<WordPiece, WordLevel, Bpe, Unigram, Renumbered>;

/// The pieces that `model` knows.
const Vocabulary& vocabulary_of(const Model& model);

/// The tokens of all pieces, in order; offsets are bytes of the original text. Each different word
/// is cut once. Throws BadInput when an unknown token is needed and missing.
std::vector<Token> tokens_of(const Model& model, const Pieces& pieces);

}  // namespace lab::tokenizer
