#pragma once

#include <vector>

#include "core/network/network_evaluator.h"

namespace attention::network {

/// The first row that must be computed again in each block of a stack, n when none: with causal
/// attention the rows before it do not depend on what changed.
struct StaleRows {
  bool embedding = true;    ///< the first rows of the stream must be computed again
  std::vector<Index> rows;  ///< one for each block
  bool final = true;        ///< the final norm must be computed again
};

/// One evaluation of one stack, as staleness depends on it.
struct StackInputs {
  const Stack* stack = nullptr;
  const std::vector<std::uint32_t>* ids = nullptr;
  const std::vector<std::uint32_t>* types = nullptr;
  const Interventions* interventions = nullptr;
};

/// Everything stale: the first evaluation.
StaleRows all_stale(const Stack& stack);

/// What differs between two evaluations of a stack. `sublayer` is kSelf or kEncoder;
/// `encoder_changed` means that the output of the encoder, to which the stack attends, is new.
StaleRows stale_rows(const StackInputs& last, const StackInputs& next, Sublayer sublayer,
                     bool encoder_changed);

}  // namespace attention::network
