#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/matrix.h"
#include "core/numerics/thread_pool.h"

namespace attention::training {

/// All that a step leaves behind: training that goes on from it gives the same numbers as training
/// that was never interrupted. The order of the numbers is that of ParameterLayout.
struct TrainingState {
  std::uint64_t step = 0;  ///< steps that were taken
  float learning_rate = 0;
  RowVector parameters;
  RowVector first_moments;   ///< Adam's mean of gradients
  RowVector second_moments;  ///< and of their squares

  /// Memory of the numbers.
  std::size_t bytes() const {
    return 3 * static_cast<std::size_t>(parameters.size()) * sizeof(float);
  }

  /// True when all numbers are the same bit for bit.
  bool operator==(const TrainingState& other) const;
};

/// A state that no one changes, to be handed from thread to thread.
using SharedState = std::shared_ptr<const TrainingState>;

/// One step of Adam (Kingma, Ba 2015): β 0.9 and 0.999, ε 1e−8, as torch.optim.Adam computes it.
/// `after` becomes `before` moved against `gradient`, with one more step; it may have any content.
/// Returns false when a number of it is not finite.
bool adam_step(const TrainingState& before, const RowVector& gradient, ThreadPool& pool,
               TrainingState& after);

}  // namespace attention::training
