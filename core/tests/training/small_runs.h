#pragma once

#include "core/training/trainer.h"

namespace attention::test {

/// A run that takes a fraction of a millisecond a step: 2 layers of 2 heads, d_model 16.
training::TrainingOptions small_run(training::TaskType task);

/// A text in which several words are always followed by the same one.
std::string small_text();

/// The trainer after `steps` more steps; the last report.
training::StepReport take_steps(training::Trainer& trainer, int steps, ThreadPool& pool);

}  // namespace attention::test
