#pragma once

#include "core/layer/staleness/plan.h"
#include "core/layer/trace.h"

namespace attention {

/// What changed in the inputs of both sides.
struct InputChanges {
  Change X, X_kv;
};

/// Updates position, X, position_kv and X_kv; returns what changed.
InputChanges update_inputs(const Plan& plan, Trace& trace, std::vector<Recomputation>& log);

}  // namespace attention
