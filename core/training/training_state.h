#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/matrix.h"

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

}  // namespace attention::training
