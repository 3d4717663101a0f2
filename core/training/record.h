#pragma once

#include <optional>

#include "core/training/history.h"

namespace attention::training {

/// Steps after the first History::kDenseSteps at which heads are measured are multiples of this.
inline constexpr std::uint64_t kMeasuredEvery = 10;

/// Remembers the start of a run: its state, and what its heads do.
void record_start(Trainer& trainer, History& history);

/// What is remembered of a step besides the state after it.
struct RecordedStep {
  CurvePoint point;
  std::optional<MeasuredPoint> measured;  ///< unset: heads are not measured after this step
};

/// That of a step that was just taken.
RecordedStep recorded_step(Trainer& trainer, const StepReport& report);

/// Remembers a step that was taken: its numbers, what the heads do after some of them, and the
/// state. The start must have been recorded, or a state that training went on from. A step that
/// diverged leaves nothing.
void record_step(Trainer& trainer, const StepReport& report, History& history);

}  // namespace attention::training
