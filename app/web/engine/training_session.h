#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/document/training/training_curves.h"
#include "app/document/training/training_document.h"
#include "core/numerics/thread_pool.h"
#include "core/training/trainer.h"

namespace lab::web {

/// Trains a model in slices of time, as BackgroundTrainer does on a thread.
class TrainingSession {
 public:
  /// From what the document is on: in its branch where it is at the end of it, else in a new one.
  /// Fails as branch_to_train() does. Precondition: training_of(document) is not null.
  static Expected<std::unique_ptr<TrainingSession>> begin(const ModelDocument& document);

  /// Takes steps for `slice`, at least one, but not beyond `last_step` (0: without end), and adds
  /// them to the run. Returns false when it ended: it is there, or it diverged, see problem().
  bool train(std::chrono::milliseconds slice, std::uint64_t last_step);

  /// The branch that it adds to, and the newest step of it.
  int branch() const { return branch_; }
  /// See branch().
  std::uint64_t step() const { return run_->newest(branch_)->step; }
  /// Why it ended by itself; empty while it goes well. In English, for tr().
  const std::string& problem() const { return problem_; }

 private:
  TrainingSession(std::shared_ptr<TrainingRun> run, const BranchToTrain& branch);

  std::shared_ptr<TrainingRun> run_;
  int branch_;
  attention::training::Trainer trainer_;
  attention::ThreadPool pool_{1};
  std::string problem_;
};

}  // namespace lab::web
