#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/files/tokenizer/sentencepiece.h"

// The stages of a tokenizer.json that the tokenizer classes of transformers 5.24 build of a file of
// SentencePiece.

namespace lab::files {

/// What a class makes its tokenizer of.
struct SpmSource {
  SentencePieceModel model;
  nlohmann::json config;  ///< whole_tokenizer_config()
};

/// The pieces of unigrams by their ids, with their scores.
using ScoredPieces = std::vector<std::pair<std::string, double>>;

/// normalizer, pre_tokenizer, decoder and model, the model without its vocabulary. Unigrams get
/// `pieces` and name their unknown token. Throws BadInput when there is none.
using SpmStages = nlohmann::json (*)(const SpmSource& source, const ScoredPieces& pieces);

/// The stages of the class of that name; null when they are not known here.
SpmStages spm_stages(std::string_view name);

/// The stages that follow what the model itself says, for models without a class of their own; the
/// unknown token of byte pairs is that of the model. `texts`: of the pieces, by their ids.
nlohmann::json own_stages(const SpmSource& source, const std::vector<std::string>& texts);

/// The merges of byte pairs: pairs of normal pieces that make another, those with larger scores
/// first. `texts`: of the pieces, by their ids.
nlohmann::json spm_merges_by_score(const SentencePieceModel& model,
                                   const std::vector<std::string>& texts);

/// The text of the token that a member of the configuration names; `otherwise` where it does not.
std::string named_in(const nlohmann::json& config, const char* member, const char* otherwise);

/// Stages of a tokenizer.json.
nlohmann::json replaced(const char* regex, const char* with);
nlohmann::json replaced_text(const char* text, const char* with);
nlohmann::json sequence_in(const char* member, nlohmann::json list);
nlohmann::json stages_json(nlohmann::json normalizer, nlohmann::json pre_tokenizer,
                           nlohmann::json decoder, nlohmann::json model);
/// The model's table of replacements; null when it has none.
nlohmann::json charsmap_of(const SentencePieceModel& model);
/// Blanks for the marks, bytes for the pieces that stand for them, and no blank at the beginning
/// where `strips`.
nlohmann::json piece_decoders(bool bytes, bool strips);

}  // namespace lab::files
