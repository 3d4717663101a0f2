#pragma once

#include <memory>

#include "core/training/training_state.h"

namespace lab {

class TrainingRun;

/// The step of a run of training that a model is at.
struct TrainingPosition {
  std::shared_ptr<TrainingRun> run;  ///< never null
  int branch = 0;
  attention::training::SharedState state;  ///< never null
};

}  // namespace lab
