#pragma once

#include <functional>

#include "core/network/block_pass.h"
#include "core/network/network_evaluator.h"

namespace attention::network {

/// Writes what the output of a head (its layer and number from 0) becomes, gain included, in the
/// rows from `first_row` on into `rows` [some of n × d_v], which hold what it was.
using ChangeHead =
    std::function<void(Index layer, Index head, Index first_row, const MatrixSlot& rows)>;

/// What runs that each differ in one head are computed from.
struct HeadRunsInput {
  const Network& network;  ///< one stack, whose layers have nothing of each other but the stream
  const StackTrace& trace;
  const Interventions& interventions;
  Index row;  ///< whose logits are asked for
  ThreadPool& pool;
};

/// Number of runs with texts of `n` tokens that go through the later layers together: products of
/// few rows wait for memory.
Index runs_together(Index n);

/// The logits of row `input.row` of one run for each of `heads`, in which only that head is
/// changed: [heads.count × vocabulary]. Heads are numbered layer by layer, through those that
/// attend. Reports to `watch`,
/// which may be null, one for each run and layer; throws as it does.
Matrix logits_of_runs(const HeadRunsInput& input, const RowRange& heads, const ChangeHead& change,
                      WorkWatch* watch);

}  // namespace attention::network
