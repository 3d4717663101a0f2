#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "app/files/tokenizer/spm_stages.h"
#include "app/files/tokenizer/tokenizer_classes.h"

// The tokenizer classes of transformers 5.24 that make a tokenizer of a file of SentencePiece.

namespace lab::files {

/// One of those classes.
struct SpmClass {
  std::string_view name;
  const char* file;    ///< its pieces, unless there is a tokenizer.model
  NamedTokens tokens;  ///< those that it has where the configuration names none
  bool merges;         ///< byte pairs, else unigrams
  /// The pieces of unigrams in its order, and of byte pairs without their scores.
  ScoredPieces (*pieces)(const SpmSource& source);
  /// What stands around one text, and around two: members that name tokens, "language", and the
  /// texts "A" and "B"; ":1" and ":2" at the end are types of tokens. Empty: what the
  /// configuration asks for by add_bos_token and add_eos_token.
  std::vector<std::string_view> single = {}, pair = {};
  bool asked = false;  ///< those flags count before `single`, where they are set
  /// The special tokens of its own; null: the control and user-defined pieces.
  nlohmann::json (*extras)(const SpmSource& source) = nullptr;
  bool mask_takes_blank = false;  ///< the mask takes the blank before it
  bool mask_normalized = false;   ///< it is looked for in the normalised text
  const char* language = "";      ///< of the text, where the configuration names none
};

/// The class of that name; null when it makes none, or in a way that is not known here.
const SpmClass* spm_class(std::string_view name);

/// The control and user-defined pieces as added tokens.
nlohmann::json marked_pieces(const SentencePieceModel& model);

/// The pieces of a model and their scores as they are.
ScoredPieces pieces_as_they_are(const SpmSource& source);

}  // namespace lab::files
