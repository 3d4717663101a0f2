#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/document/analysis/predictions.h"
#include "core/network/generation/continuation.h"

// A model goes on with a text, token by token, with the edits of its document in force.

namespace lab {

/// How the next token is chosen from the logits, in the order of these members, as transformers
/// does it.
struct Sampling {
  double temperature = 0;  ///< divides the logits; 0: the likeliest token is taken
  int top_k = 0;           ///< only the k likeliest tokens; 0: all
  double top_p = 1;        ///< only the fewest likeliest tokens whose probabilities sum up to p
};

/// Fails with kUsage, naming the option, for a temperature that is negative or not finite, a
/// negative top_k, and a top_p outside 0 < p ≤ 1.
Expected<void> check(const Sampling& sampling);

/// The tokens that may be chosen with their probabilities, which sum up to 1, the likeliest first.
/// Precondition: check() passes, and the logits [1 × vocabulary] are finite.
std::vector<Prediction> choices(const attention::RowVector& logits, const Sampling& sampling);

/// How a text is gone on with.
struct Generation {
  int tokens = 20;  ///< the most that are added
  Sampling sampling{};
  std::uint64_t seed = 0;             ///< of the choices; the same seed gives the same text
  std::vector<std::uint32_t> ends{};  ///< ids after which it ends
};

/// Called with each token as it is added, with its probability by the model itself.
using OnToken = std::function<void(const Prediction&)>;

/// Adds tokens to the text of `document`, or to that of its decoder, and returns them. Of each
/// token only its own rows are computed, and those of the text before it where `continuation` does
/// not have them. Stops before the model has no more positions. Reports the text itself, and then
/// each token, to `watch`, which may be null, and throws as it does. Fails with kUsage when the
/// model fills gaps or has patched heads, whose numbers are those of so many tokens, with kBadInput
/// as logits_of_row() does and when there is not enough memory for the longer text.
Expected<std::vector<Prediction>> generate(const ModelDocument& document,
                                           attention::network::Continuation& continuation,
                                           const Generation& generation,
                                           const OnToken& on_token = {},
                                           attention::WorkWatch* watch = nullptr);

}  // namespace lab
