#pragma once

#include <vector>

#include "core/network/block_pass.h"
#include "core/network/network_evaluator.h"

namespace attention::network {

/// Computes the logits after the last token of a text that grows: it keeps the keys and values of
/// all layers, and the gated rows of convolutions, so that of a longer text only the new rows are
/// computed. It keeps no weights and no residual stream.
///
/// What the earlier rows would be in the longer text is compared first. They are computed anew
/// where they differ: with other edits, weights or an encoder's other text, in networks that see
/// later tokens, with patched heads, and where the frequencies of rotary positions change with the
/// length of the text.
class Continuation {
 public:
  /// Spreads the work over `threads` threads. Throws std::system_error when they cannot be started.
  explicit Continuation(int threads = 1) : pool_(threads) {}

  /// The logits after the last of `tokens`, with `interventions` in force: [1 × vocabulary], which
  /// are those of NetworkEvaluator and logits() within rounding. Throws as
  /// NetworkEvaluator::evaluate() does; what was kept is then forgotten. Precondition: the network
  /// has a read-out.
  RowVector logits(const Network& network, const Tokens& tokens,
                   const Interventions& interventions = {}, WorkWatch* watch = nullptr);

  /// The rows of the only stack, or of the decoder, that the last call computed.
  Index computed_rows() const { return computed_; }
  /// The threads, for other work between two calls.
  ThreadPool& pool() { return pool_; }

 private:
  RowVector compute(const Network& network, const Tokens& tokens,
                    const Interventions& interventions, WorkWatch* watch);

  Network network_;
  Tokens tokens_;
  Interventions interventions_;
  std::vector<BlockState> states_;
  Matrix encoded_;  // what the encoder gave
  Index computed_ = 0;
  ThreadPool pool_;
};

}  // namespace attention::network
