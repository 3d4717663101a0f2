#pragma once

#include <cstdint>
#include <vector>

#include "app/base/error.h"
#include "app/document/analysis/model_pass.h"

namespace lab {

/// A token that a model expects.
struct Prediction {
  std::uint32_t id = 0;
  float probability = 0;  ///< softmax of the logits over the vocabulary
  float logit = 0;
};

/// What a model expects at one row.
struct PredictionsAt {
  attention::Index row = 0;     ///< of the token after which, or in whose place, it is expected
  std::vector<Prediction> top;  ///< most probable first; equal ones in the order of their ids
};

/// The predictions of these tokens by the logits [1 × vocabulary], in the order of `ids`.
/// Precondition: the ids are below the vocabulary's size.
std::vector<Prediction> predictions_of(const attention::RowVector& logits,
                                       const std::vector<std::uint32_t>& ids);
/// The same for one token.
Prediction prediction_of(const attention::RowVector& logits, std::uint32_t id);
/// The `count` most probable tokens, or all, the most probable first; equal ones in the order of
/// their ids.
std::vector<std::uint32_t> likeliest_tokens(const attention::RowVector& logits, std::size_t count);
/// The `top` most probable tokens by their logits, as in PredictionsAt.
std::vector<Prediction> most_probable(const attention::RowVector& logits, attention::Index top);
/// The most probable token, the first of equal ones.
std::uint32_t likeliest_token(const attention::RowVector& logits);
/// The same with its probability.
Prediction likeliest(const attention::RowVector& logits);
/// The rank of a token by its logit: 1 for the most probable one.
attention::Index rank_of(const attention::RowVector& logits, std::uint32_t id);

/// Fails with kBadInput when the model has no read-out.
Expected<void> check_read_out(const ModelDocument& document);

/// The rows of the last hidden state that predict: the last one, or, in a network that is not
/// causal, that of each masked token. Fails with kBadInput when the model has no read-out, or no
/// masked token in its vocabulary, and with kUsage when there is none in the text.
Expected<std::vector<attention::Index>> predicting_rows(const ModelDocument& document);

/// Fails with kBadInput when the model has no read-out, or its text no such row.
Expected<void> check_row(const ModelPass& pass, attention::Index row);

/// The logits [1 × vocabulary] of a row. Fails as check_row() and check_finite() do.
Expected<attention::RowVector> logits_of_row(const ModelPass& pass, attention::Index row);

/// The first part of the network whose output holds NaN or infinite numbers: "the embedding",
/// "layer 3", "the final norm"; empty when all is finite up to the read-out.
std::string first_not_finite(const attention::network::NetworkTrace& trace);

/// Fails with kBadInput when the logits of `row` are not all finite, naming the first layer whose
/// output is not.
Expected<void> check_finite(const attention::network::NetworkTrace& trace, attention::Index row,
                            const attention::RowVector& logits);

/// The `top` most probable tokens after the last one, or, in a network that is not causal, in place
/// of each masked token. Fails as predicting_rows() and logits_of_row() do.
Expected<std::vector<PredictionsAt>> predictions(const ModelPass& pass, attention::Index top);

}  // namespace lab
