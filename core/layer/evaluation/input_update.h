#pragma once

#include "core/layer/evaluation/plan.h"
#include "core/layer/trace.h"

namespace attention {

/// What changed of the two sides' inputs.
struct InputChanges {
  Change X, X_kv;
};

/// Brings position, X, position_kv and X_kv up to date.
InputChanges update_inputs(const Plan& plan, Trace& trace, std::vector<Recomputation>& log);

}  // namespace attention
