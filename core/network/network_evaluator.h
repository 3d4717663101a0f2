#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/block_pass.h"
#include "core/network/interventions.h"
#include "core/network/network.h"
#include "core/numerics/thread_pool.h"
#include "core/numerics/work_watch.h"
#include "core/shared_matrix.h"

namespace attention::network {

/// The token ids that a network reads.
struct Tokens {
  std::vector<std::uint32_t> ids;    ///< of the only stack, or of the decoder
  std::vector<std::uint32_t> types;  ///< segment of each of them (BERT); empty: all 0
  std::vector<std::uint32_t> encoder_ids;
  bool operator==(const Tokens&) const = default;
};

/// What a forward pass keeps of one block.
struct BlockTrace {
  SharedMatrix input;          ///< [n × d_model] the residual stream before the block
  SharedMatrix weights;        ///< [n_heads·n × n] head h from row h·n on
  SharedMatrix cross_weights;  ///< [n_heads·n × encoder's n], or empty
};

/// What a forward pass keeps of one stack.
struct StackTrace {
  std::vector<BlockTrace> blocks;
  SharedMatrix last;      ///< [n × d_model] the residual stream after the last block
  SharedMatrix embedded;  ///< [n × d_model] what the embedding gives, none of it replaced; kept
                          ///< only where there are LayerInputs
  SharedMatrix layer_inputs;  ///< [n × all layers' width], see LayerInputs; empty: none
  Matrix final;               ///< [n × d_model] `last` after the final norm, if there is one

  /// Number of tokens.
  Index n() const { return last->rows(); }
  /// The rows of `head` in the weights of `layer` (both from 0): [n × n].
  MatrixView head_weights(Index layer, Index head) const;
};

/// What a forward pass keeps. A copy shares its large matrices with the evaluator, which copies
/// only what a later evaluation changes while the copy exists.
struct NetworkTrace {
  StackTrace stack;
  std::optional<StackTrace> encoder;
};

/// What is kept of the stack of a sublayer. Precondition: there is such a stack.
const StackTrace& stack_trace(const NetworkTrace& trace, Sublayer sublayer);
/// The weights of all heads of the sublayer at `at` [n_heads·n × its keys], head h from row h·n on,
/// where n is that of its stack. Precondition: there is such a layer.
const Matrix& weights_at(const NetworkTrace& trace, LayerId at);

/// What the last evaluation computed of one stack.
struct StackReport {
  Index first_layer = 0;  ///< the first block that was computed; the number of blocks: none
  Index first_row = 0;    ///< the first row in the last block that was computed
};

/// Computes the hidden states and attention weights of a network. After an edit it computes only
/// the blocks that depend on it and, in causal stacks, only the rows from the first that does.
/// Edits are found by comparing network, tokens and interventions with those of the last
/// evaluation. Uses one thread at a time; different evaluators are independent.
class NetworkEvaluator {
 public:
  /// Spreads the work over `threads` threads; results do not depend on how many. Throws
  /// std::system_error when they cannot be started.
  explicit NetworkEvaluator(int threads = 1) : pool_(threads) {}

  /// Updates the trace and returns it; the reference is valid until the next call. Throws
  /// std::invalid_argument naming what is wrong when there are no tokens, more than the network has
  /// positions for, ids beyond its vocabulary, or an intervention on something that does not exist;
  /// the trace is then unchanged. Throws std::bad_alloc when memory runs out and WorkStopped when
  /// `watch`, which may be null, was stopped; the trace is then empty.
  const NetworkTrace& evaluate(const Network& network, const Tokens& tokens,
                               const Interventions& interventions = {}, WorkWatch* watch = nullptr);

  /// The trace of the last evaluation; empty before the first.
  const NetworkTrace& trace() const { return trace_; }
  /// What the last evaluation computed of the only stack, or of the decoder.
  const StackReport& report() const { return report_; }
  /// The threads, for other work between two evaluations.
  ThreadPool& pool() { return pool_; }

 private:
  struct StackRun;

  void update(const Network& network, const Tokens& tokens, const Interventions& interventions,
              WorkWatch* watch);
  void run(const StackRun& run, WorkWatch* watch);
  void reset();

  Network last_;
  Tokens last_tokens_;
  Interventions last_interventions_;
  NetworkTrace trace_;
  std::vector<BlockState> states_, encoder_states_;
  StackReport report_;
  ThreadPool pool_;
};

/// The logits of rows of the last hidden state [n × d_model] (StackTrace::final): [n × vocabulary].
/// Precondition: the network has a read-out.
Matrix logits(const Network& network, const MatrixView& final_rows, ThreadPool& pool);

}  // namespace attention::network
