#pragma once

#include <cstdint>
#include <vector>

#include "app/base/error.h"
#include "app/cli/model/model_run.h"

namespace lab::cli {

/// A token that a model expects.
struct Prediction {
  std::uint32_t id = 0;
  float probability = 0;  ///< softmax of the logits over the vocabulary
  float logit = 0;
};

/// What a model expects at one place.
struct PredictionsAt {
  attention::Index row = 0;     ///< of the token after which, or in whose place, it is expected
  std::vector<Prediction> top;  ///< most probable first; equal ones in the order of their ids
};

/// The rows of the last hidden state that predict: the last one, or, in a network that is not
/// causal, that of each masked token. Fails as predictions() does.
Expected<std::vector<attention::Index>> predicting_rows(const ModelRun& run);

/// Fails with kBadInput when the logits of `row` are not all finite, naming the first layer whose
/// output is not.
Expected<void> check_finite(const ModelRun& run, attention::Index row,
                            const attention::RowVector& logits);

/// The prediction of one token by its logits.
Prediction prediction_of(const attention::RowVector& logits, std::uint32_t id);
/// The `top` most probable tokens by their logits, as in PredictionsAt.
std::vector<Prediction> most_probable(const attention::RowVector& logits, attention::Index top);

/// The `top` most probable tokens after the last one, or, in a network that is not causal, in place
/// of each masked token. Fails with kBadInput when the model has no read-out, or needs a masked
/// token and there is none, and as check_finite() does.
Expected<std::vector<PredictionsAt>> predictions(ModelRun& run, attention::Index top);

}  // namespace lab::cli
