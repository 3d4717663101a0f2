#pragma once

#include <cstdint>
#include <vector>

#include "core/training/history.h"

namespace lab {

/// What one head did at the measured steps, in the order of TrainingCurves::measured_steps.
struct HeadCurves {
  std::vector<float> induction, previous, first, self, duplicate, entropy, gradient;
};

/// The curves of a branch of a run, as they are drawn: one array for each line.
struct TrainingCurves {
  const void* run = nullptr;  ///< whose they are
  int branch = -1;
  std::vector<int> steps;  ///< that were taken
  std::vector<float> loss, known_loss, gradient;
  std::vector<int> measured_steps;
  std::vector<HeadCurves> heads;  ///< layer by layer
  /// The loss at each position at the measured steps; empty before the first step.
  std::vector<std::vector<float>> position_loss;
};

/// Appends what `history` knows beyond `curves`; begins anew where it forgot some of that.
void append_new(const attention::training::History& history, TrainingCurves& curves);

/// The index of the last of `steps`, which ascend, that is not after `step`; −1: all are.
int index_at(const std::vector<int>& steps, std::uint64_t step);

}  // namespace lab
