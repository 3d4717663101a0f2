#pragma once

#include <optional>
#include <vector>

#include "core/network/network_evaluator.h"

namespace attention::network {

// What each part of a network contributes to an answer: one logit of one row, or the difference of
// two.

/// A logit that is asked about, or how far it is above another one.
struct Answer {
  Index row = 0;            ///< of the token after which, or in whose place, it is predicted
  std::uint32_t token = 0;  ///< its id
  std::optional<std::uint32_t> minus = {};  ///< a token whose logit is subtracted

  bool operator==(const Answer&) const = default;
};

/// Throws std::invalid_argument when the network has no read-out, or there is no such token, or no
/// such row in a text of `n` tokens.
void validate(const Answer& answer, const Network& network, Index n);

/// The columns of a read-out's `tokens` for the token of the answer and, if there is one, for that
/// which is subtracted: [d × 1 or 2].
Linear answer_columns(const Linear& tokens, const Answer& answer);

/// The answer by the logits [1 × vocabulary] of its row.
float logit_of(const Answer& answer, const RowVector& logits);

/// Logit lens (nostalgebraist 2020): the logits that the read-out, with the final norm, gives for
/// row `row` of the residual stream before each layer and after the last one:
/// [n_layers + 1 × vocabulary]. The last row is the network's own answer.
Matrix logit_lens(const Network& network, const NetworkTrace& trace, Index row, ThreadPool& pool);

/// Direct logit attribution (Elhage et al. 2021): the parts of the residual stream that sum up to
/// a logit, or to a difference of two.
struct LogitAttribution {
  double embedding = 0;  ///< of the embedding
  Matrix heads;          ///< [n_layers × n_heads] of each head's output; NaN in layers without
                         ///< attention
  std::vector<double> convolutions;  ///< of those in place of attention, with their biases; 0 in
                                     ///< layers that attend; empty: there are none
  std::vector<double> mlps;  ///< of each MLP with its biases, and of what replaces the stream after
                             ///< its block
  double biases = 0;  ///< of the output biases of attention, of the final norm and of the read-out,
                      ///< and what overrides add to the output of attention
  double logit = 0;   ///< the answer itself, the sum of all
};

/// The direct attribution of an answer. The final norm divides by the deviation of the whole row,
/// which is held fixed, so that the parts are linear. Throws std::invalid_argument for networks in
/// which they are not: with norms after the sum or of a branch, a second stack, a transform or a
/// cap in the read-out; and as validate() does. Reports each layer to `watch`, which may be null,
/// and throws as it does.
LogitAttribution attribute_logit(const Network& network, const NetworkTrace& trace,
                                 const Interventions& interventions, const Answer& answer,
                                 ThreadPool& pool, WorkWatch* watch = nullptr);

/// [n_layers × n_heads]: `answer` when each head of the only stack, or of the decoder, is muted in
/// turn, minus the answer without that; NaN in layers without attention. Later layers are computed
/// again only. Reports to `watch`, which may be null; throws as it does and as validate().
/// HeadSweep gives the same numbers as they become known.
Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, int threads,
                     WorkWatch* watch = nullptr);

/// The same for the heads of another sublayer of a network with two stacks, those of the decoder to
/// the encoder or of the encoder: [its layers × its heads]. Throws std::invalid_argument when the
/// network has no such layers.
Matrix knock_out_map(const Network& network, const Tokens& tokens,
                     const Interventions& interventions, const Answer& answer, Sublayer sublayer,
                     int threads, WorkWatch* watch = nullptr);

/// Another forward pass of a network whose heads' outputs replace those of the first.
struct PatchSource {
  const NetworkTrace& trace;
  const Interventions& interventions;  ///< of that pass
};

/// Activation patching (Meng et al. 2022, of heads Wang et al. 2023): `answer` when the output of
/// each head of a sublayer is replaced in turn by that in `source`, as a HeadPatch does, minus the
/// answer without that: [its layers × its heads]. Throws std::invalid_argument as knock_out_map()
/// does, and when the numbers of tokens differ.
Matrix patching_map(const Network& network, const Tokens& tokens,
                    const Interventions& interventions, const Answer& answer,
                    const PatchSource& source, Sublayer sublayer, int threads,
                    WorkWatch* watch = nullptr);

/// Attention rollout (Abnar, Zuidema 2020): how much of each input token reaches each row after the
/// last layer when attention is averaged over heads, mixed half and half with the residual stream,
/// and multiplied over layers: [n × n], rows sum to 1, with sinks to less: what they take is lost.
/// Throws std::invalid_argument when a layer mixes rows in another way.
Matrix attention_rollout(const StackTrace& stack, Index n_heads);

}  // namespace attention::network
