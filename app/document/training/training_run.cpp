#include "app/document/training/training_run.h"

#include <algorithm>
#include <utility>

namespace lab {

using attention::training::SharedState;
using attention::training::Trainer;
using attention::training::TrainingOptions;
using StepHistory = attention::training::History;

TrainingRun::TrainingRun(const TrainingOptions& options, std::vector<StepHistory> branches)
    : options_(options),
      task_(attention::training::make_task(options.task)),
      layout_(options, task_->vocabulary()),
      branches_(std::move(branches)) {}

TrainingRun::TrainingRun(const TrainingOptions& options) : TrainingRun(options, {}) {
  Trainer trainer(options);
  branches_.emplace_back();
  record_start(trainer, branches_.front());
  branches_.front().pin(trainer.state());
}

StepHistory& TrainingRun::changed(int branch) {
  ++version_;
  return branches_.at(static_cast<std::size_t>(branch));
}

int TrainingRun::add_branch(int parent, SharedState state) {
  const std::lock_guard lock(mutex_);
  StepHistory branch = at(parent);
  branch.begin_at(std::move(state));
  branches_.push_back(std::move(branch));
  ++version_;
  return static_cast<int>(branches_.size()) - 1;
}

int TrainingRun::branches() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(branches_.size());
}

bool TrainingRun::keeps(int branch, std::uint64_t step) const {
  const std::lock_guard lock(mutex_);
  return at(branch).keeps(step);
}

void TrainingRun::add(int branch, TakenStep step) {
  const std::lock_guard lock(mutex_);
  StepHistory& history = changed(branch);
  ++taken_;
  history.add(step.recorded.point);
  if (step.recorded.measured) history.add(std::move(*step.recorded.measured));
  if (step.state) history.keep(std::move(step.state));
}

void TrainingRun::end_at(int branch, SharedState state) {
  const std::lock_guard lock(mutex_);
  StepHistory& history = changed(branch);
  if (history.states().back()->step < state->step) history.keep(std::move(state));
}

void TrainingRun::pin(int branch, SharedState state) {
  const std::lock_guard lock(mutex_);
  changed(branch).pin(std::move(state));
}

StepHistory TrainingRun::history_of(int branch) const {
  const std::lock_guard lock(mutex_);
  return at(branch);
}

std::uint64_t TrainingRun::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

std::uint64_t TrainingRun::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

void TrainingRun::note_saved(std::string folder, std::uint64_t taken) {
  const std::lock_guard lock(mutex_);
  saved_in_ = std::move(folder);
  saved_ = taken;
}

std::string TrainingRun::saved_in() const {
  const std::lock_guard lock(mutex_);
  return saved_in_;
}

bool TrainingRun::has_unsaved_steps() const {
  const std::lock_guard lock(mutex_);
  return taken_ > saved_;
}

std::uint64_t TrainingRun::last_step(int branch) const {
  const std::lock_guard lock(mutex_);
  const StepHistory& history = at(branch);
  const std::uint64_t kept = history.states().back()->step;
  return history.curve().empty() ? kept : std::max(kept, history.curve().back().step);
}

SharedState TrainingRun::newest(int branch) const {
  const std::lock_guard lock(mutex_);
  return at(branch).states().back();
}

SharedState TrainingRun::nearest(int branch, std::uint64_t step) const {
  const std::lock_guard lock(mutex_);
  return at(branch).nearest(step);
}

SharedState TrainingRun::next_to(int branch, std::uint64_t step, bool after) const {
  const std::lock_guard lock(mutex_);
  SharedState found;
  for (const SharedState& state : at(branch).states()) {
    if (after && state->step > step) return state;
    if (!after && state->step < step) found = state;
  }
  return found;
}

std::size_t TrainingRun::kept(int branch) const {
  const std::lock_guard lock(mutex_);
  return at(branch).states().size();
}

bool TrainingRun::update(int branch, TrainingCurves& curves) const {
  if (curves.run != this || curves.branch != branch) {
    curves = {};
    curves.run = this;
    curves.branch = branch;
  }
  const std::size_t taken = curves.steps.size(), measured = curves.measured_steps.size();
  const std::lock_guard lock(mutex_);
  append_new(at(branch), curves);
  return taken != curves.steps.size() || measured != curves.measured_steps.size();
}

}  // namespace lab
