#pragma once

#include <vector>

#include "core/numerics/thread_pool.h"
#include "core/training/training_state.h"

namespace attention::training {

/// One step of Adam (Kingma, Ba 2015): β 0.9 and 0.999, ε 1e−8, as torch.optim.Adam computes it.
/// `after` becomes `before` moved against `gradient`, with one more step; it may have any content.
/// Returns false when a number of it is not finite.
bool adam_step(const TrainingState& before, const RowVector& gradient, ThreadPool& pool,
               TrainingState& after);

}  // namespace attention::training
