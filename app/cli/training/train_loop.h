#pragma once

#include <string>

#include "app/base/error.h"
#include "app/files/training/saved_run.h"

namespace lab::cli {

/// How a run is trained.
struct TrainLoop {
  std::uint64_t steps = 0;  ///< to be taken
  int threads = 1;
  std::string folder;  ///< where the model and the run are saved
};

/// Trains the run from its last state on, shows how far it is on standard error, and saves the
/// model and the run: every few seconds, at the end, and at Ctrl+C. Fails with kFailed when it
/// diverges or is interrupted, the last good step then being saved, and with kIo.
Expected<void> train(const TrainLoop& loop, attention::training::Trainer& trainer,
                     files::SavedRun& run);

}  // namespace lab::cli
