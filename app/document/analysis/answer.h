#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/analysis/predictions.h"
#include "core/network/attribution.h"

namespace lab {

/// A token that is asked about, among all that a row might predict.
struct RankedPrediction {
  Prediction prediction;
  attention::Index rank = 1;  ///< 1: the most probable one
};

/// An answer of a model that is asked about: one token, or how far it is above another one.
struct AskedAnswer {
  attention::Index row = 0;  ///< of the token after which, or in whose place, it is predicted
  RankedPrediction token;
  std::optional<RankedPrediction> minus = {};  ///< what it is compared with

  /// As the core takes it.
  attention::network::Answer answer() const;
  /// The logit, or the difference of both.
  float logit() const;
};

/// What a model would answer if it ended before a layer.
struct LensLine {
  Prediction top;      ///< the most probable token
  AskedAnswer answer;  ///< the answer that is asked about
};

/// Of the tokens that are called `text` (see is_called()), the most probable one by the logits of a
/// row; nothing when none is, or the model has no tokenizer.
std::optional<std::uint32_t> token_called(const ModelSource& model, const std::string& text,
                                          const attention::RowVector& logits);

/// The answer by the logits [1 × vocabulary] of its row. Precondition: there are such tokens.
AskedAnswer asked_answer(const attention::RowVector& logits,
                         const attention::network::Answer& answer);

/// The lines of a logit lens, see attention::network::logit_lens(): one for each row of `logits`.
std::vector<LensLine> lens_lines(const attention::Matrix& logits,
                                 const attention::network::Answer& answer);

}  // namespace lab
