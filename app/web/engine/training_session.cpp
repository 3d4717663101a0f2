#include "app/web/engine/training_session.h"

#include "app/base/bad_input.h"
#include "core/training/record.h"

namespace lab::web {

TrainingSession::TrainingSession(std::shared_ptr<TrainingRun> run, const BranchToTrain& branch)
    : run_(std::move(run)), branch_(branch.branch), trainer_(run_->options()) {
  trainer_.restore(*branch.from);
}

Expected<std::unique_ptr<TrainingSession>> TrainingSession::begin(const ModelDocument& document) {
  const auto branch = branch_to_train(document);
  if (!branch) return tl::make_unexpected(branch.error());
  return guarded([&] {
    return std::unique_ptr<TrainingSession>(
        new TrainingSession(training_of(document)->run, *branch));
  });
}

bool TrainingSession::train(std::chrono::milliseconds slice, std::uint64_t last_step) {
  const auto end = std::chrono::steady_clock::now() + slice;
  bool more = true;
  while (more) {
    const attention::training::StepReport report = trainer_.step(pool_);
    if (report.diverged) {
      run_->end_at(branch_, trainer_.state());
      problem_ = kDiverged;
      return false;
    }
    more = std::chrono::steady_clock::now() < end && trainer_.steps() != last_step;
    TakenStep taken{attention::training::recorded_step(trainer_, report), {}};
    if (!more || run_->keeps(branch_, report.step)) taken.state = trainer_.state();
    run_->add(branch_, std::move(taken));
  }
  return trainer_.steps() != last_step;
}

}  // namespace lab::web
