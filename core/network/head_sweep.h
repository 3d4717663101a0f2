#pragma once

#include <memory>

#include "core/network/attribution.h"
#include "core/network/network_evaluator.h"

namespace attention::network {

/// A forward pass and the answer that is asked about.
struct AskedPass {
  const Network& network;
  const Tokens& tokens;
  const Interventions& interventions;
  const NetworkTrace& trace;  ///< of these
  Answer answer;
};

/// How an answer changes when each head of a sublayer is muted or patched in turn, as it becomes
/// known: a group of heads at a time, later layers first, because they take the least time.
///
///     HeadSweep sweep(pass, Sublayer::kSelf, pool);
///     while (!sweep.done()) sweep.step(&watch), show(sweep.changes());
class HeadSweep {
 public:
  /// Mutes each head: the numbers of knock_out_map(). What is referred to must outlive the sweep.
  /// Throws std::invalid_argument when the network has no read-out or no such layers, or there is
  /// no such row or token.
  HeadSweep(const AskedPass& pass, Sublayer sublayer, ThreadPool& pool);
  /// Replaces the output of each head by that in `source`: the numbers of patching_map(). Throws
  /// also when the numbers of tokens differ.
  HeadSweep(const AskedPass& pass, const PatchSource& source, Sublayer sublayer, ThreadPool& pool);
  /// Frees what it computed.
  ~HeadSweep();
  /// A sweep can be neither copied nor moved.
  HeadSweep(const HeadSweep&) = delete;
  HeadSweep& operator=(const HeadSweep&) = delete;

  /// True when the numbers of all heads are known.
  bool done() const;
  /// The work of all steps, as it is reported to a watch.
  Index work() const;
  /// The part of it that is done.
  Index work_done() const;
  /// Computes the next heads. Reports to `watch`, which may be null, and throws as it does and as
  /// NetworkEvaluator::evaluate(); the step can then be repeated. Precondition: not done().
  void step(WorkWatch* watch = nullptr);
  /// [layers × heads of the sublayer]: the answer's logit, or difference of logits, with each head
  /// changed, minus that without; NaN where it is not known yet, and in layers without attention.
  const Matrix& changes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The outputs of all heads at `at` in a forward pass, side by side: [queries × n_heads·d_v].
/// They are what a HeadPatch replaces: overrides and patches of the pass are in them, gains and
/// overrides of concat are not. Throws std::invalid_argument when there is no such sublayer.
Matrix head_outputs(const Network& network, const NetworkTrace& trace,
                    const Interventions& interventions, const LayerId& at, ThreadPool& pool);

}  // namespace attention::network
