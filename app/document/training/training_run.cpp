#include "app/document/training/training_run.h"

#include <algorithm>
#include <utility>

namespace lab {

using StepHistory = attention::training::History;
using attention::training::SharedState;
using attention::training::Trainer;
using attention::training::TrainingOptions;

TrainingRun::TrainingRun(const TrainingOptions& options)
    : options_(options),
      task_(attention::training::make_task(options.task)),
      layout_(options, task_->vocabulary()) {
  Trainer trainer(options);
  Branch first;
  first.start.state = trainer.state();
  first.history.keep(first.start.state);
  branches_.push_back(std::move(first));
}

int TrainingRun::add_branch(int parent, SharedState state) {
  const std::lock_guard lock(mutex_);
  Branch branch = at(parent);
  const std::uint64_t step = state->step;
  branch.history.truncate(step);
  std::erase_if(branch.pinned, [&](const auto& one) { return one.first >= step; });
  branch.start = {parent, std::move(state)};
  branches_.push_back(std::move(branch));
  return static_cast<int>(branches_.size()) - 1;
}

int TrainingRun::branches() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(branches_.size());
}

BranchStart TrainingRun::start_of(int branch) const {
  const std::lock_guard lock(mutex_);
  return at(branch).start;
}

bool TrainingRun::keeps(int branch, std::uint64_t step) const {
  const std::lock_guard lock(mutex_);
  return at(branch).history.keeps(step);
}

void TrainingRun::add(int branch, TakenStep step) {
  const std::lock_guard lock(mutex_);
  StepHistory& history = at(branch).history;
  history.add(step.point);
  if (step.measured) history.add(std::move(*step.measured));
  if (step.state) history.keep(std::move(step.state));
}

void TrainingRun::end_at(int branch, SharedState state) {
  const std::lock_guard lock(mutex_);
  StepHistory& history = at(branch).history;
  const auto& states = history.states();
  if (states.empty() || states.back()->step < state->step) history.keep(std::move(state));
}

void TrainingRun::pin(int branch, SharedState state) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t step = state->step;
  at(branch).pinned.insert_or_assign(step, std::move(state));
}

void TrainingRun::restore(int branch, BranchStart start, StepHistory history) {
  const std::lock_guard lock(mutex_);
  Branch restored{std::move(start), std::move(history), {}};
  if (static_cast<std::size_t>(branch) < branches_.size())
    at(branch) = std::move(restored);
  else
    branches_.push_back(std::move(restored));
}

StepHistory TrainingRun::history_of(int branch) const {
  const std::lock_guard lock(mutex_);
  return at(branch).history;
}

std::uint64_t TrainingRun::last_step(int branch) const {
  const std::lock_guard lock(mutex_);
  const Branch& of = at(branch);
  const auto& curve = of.history.curve();
  return std::max(of.start.state->step, curve.empty() ? 0 : curve.back().step);
}

// The branch begins at its own start, in place of the state of that step before an edit.
std::vector<SharedState> TrainingRun::states_of(const Branch& branch) {
  std::map<std::uint64_t, SharedState> states = branch.pinned;
  for (const SharedState& state : branch.history.states()) states.try_emplace(state->step, state);
  states.insert_or_assign(branch.start.state->step, branch.start.state);
  std::vector<SharedState> result;
  result.reserve(states.size());
  for (auto& [step, state] : states) result.push_back(std::move(state));
  return result;
}

SharedState TrainingRun::newest(int branch) const {
  const std::lock_guard lock(mutex_);
  return states_of(at(branch)).back();
}

SharedState TrainingRun::state(int branch, std::uint64_t step) const {
  const SharedState near = nearest(branch, step);
  return near->step == step ? near : nullptr;
}

SharedState TrainingRun::nearest(int branch, std::uint64_t step) const {
  const std::lock_guard lock(mutex_);
  const std::vector<SharedState> states = states_of(at(branch));
  const auto after =
      std::ranges::lower_bound(states, step, {}, [](const SharedState& one) { return one->step; });
  if (after == states.begin()) return states.front();
  const SharedState& before = *std::prev(after);
  if (after == states.end() || step - before->step <= (*after)->step - step) return before;
  return *after;
}

SharedState TrainingRun::next_to(int branch, std::uint64_t step, bool after) const {
  const std::lock_guard lock(mutex_);
  SharedState found;
  for (SharedState& state : states_of(at(branch))) {
    if (after && state->step > step) return state;
    if (!after && state->step < step) found = std::move(state);
  }
  return found;
}

std::size_t TrainingRun::kept(int branch) const {
  const std::lock_guard lock(mutex_);
  return states_of(at(branch)).size();
}

std::vector<SharedState> TrainingRun::states(int branch) const {
  const std::lock_guard lock(mutex_);
  return states_of(at(branch));
}

bool TrainingRun::update(int branch, TrainingCurves& curves) const {
  if (curves.run != this || curves.branch != branch)
    curves = {this, branch, {}, {}, {}, {}, {}, {}, {}};
  const std::size_t taken = curves.steps.size(), measured = curves.measured_steps.size();
  const std::lock_guard lock(mutex_);
  append_new(at(branch).history, curves);
  return taken != curves.steps.size() || measured != curves.measured_steps.size();
}

}  // namespace lab
