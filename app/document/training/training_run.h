#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/document/training/training_curves.h"
#include "app/translation/words.h"
#include "core/training/record.h"

namespace lab {

/// Why training ended when StepReport::diverged, for tr().
inline constexpr const char* kDiverged = tr_later(
    "It diverged: a number became infinite. A smaller learning rate may help; the last "
    "good step is kept.");

/// What one step adds to a run.
struct TakenStep {
  attention::training::RecordedStep recorded;
  /// The state after it; null where it need not be kept, see TrainingRun::keeps().
  attention::training::SharedState state = {};
};

/// All that is known of the training of one network: branches of steps that were taken. A new
/// branch begins where training goes on from a step that is not the last, or from edited numbers;
/// the older branch stays. All members may be called from any thread.
class TrainingRun {
 public:
  /// A run at step 0. Throws std::invalid_argument when a Trainer does not accept the options.
  explicit TrainingRun(const attention::training::TrainingOptions& options);
  /// A run that was saved: what is remembered of each branch, with at least one state each.
  TrainingRun(const attention::training::TrainingOptions& options,
              std::vector<attention::training::History> branches);

  /// The options that all branches began with.
  const attention::training::TrainingOptions& options() const { return options_; }
  /// The task that all branches train on.
  const attention::training::Task& task() const { return *task_; }
  /// Where each matrix stands in the parameters of a state.
  const attention::training::ParameterLayout& layout() const { return layout_; }

  /// Begins a branch at `state` of branch `parent`, with what is remembered of the steps up to
  /// there. Returns its number, from 1 on.
  int add_branch(int parent, attention::training::SharedState state);
  /// The number of branches; the first is 0.
  int branches() const;

  /// True when the state after `step` is kept for good. Precondition: the branch exists, as for all
  /// that follow.
  bool keeps(int branch, std::uint64_t step) const;
  /// Adds a step to the end of a branch.
  void add(int branch, TakenStep step);
  /// Makes `state`, at which a branch ended, its last one.
  void end_at(int branch, attention::training::SharedState state);
  /// Keeps a state whatever becomes of those around it, because a document is at it.
  void pin(int branch, attention::training::SharedState state);

  /// A copy of what is remembered of a branch.
  attention::training::History history_of(int branch) const;
  /// Grows with everything that is added or pinned.
  std::uint64_t version() const;

  /// Counts the steps that were taken since the run was made or opened.
  std::uint64_t taken() const;
  /// Notes that `folder` holds the run as it was when `taken` steps had been taken.
  void note_saved(std::string folder, std::uint64_t taken);
  /// Where it was saved last, or opened from; empty: nowhere that stays.
  std::string saved_in() const;
  /// True when steps were taken since.
  bool has_unsaved_steps() const;

  /// The last step of a branch.
  std::uint64_t last_step(int branch) const;
  /// The newest state of a branch.
  attention::training::SharedState newest(int branch) const;
  /// The kept state that is nearest to `step`.
  attention::training::SharedState nearest(int branch, std::uint64_t step) const;
  /// The kept state before or after `step` that is next to it; null when there is none.
  attention::training::SharedState next_to(int branch, std::uint64_t step, bool after) const;
  /// How many states of a branch are kept.
  std::size_t kept(int branch) const;

  /// Brings `curves` up to date with a branch. Returns true when anything changed.
  bool update(int branch, TrainingCurves& curves) const;

 private:
  const attention::training::History& at(int branch) const {
    return branches_.at(static_cast<std::size_t>(branch));
  }
  attention::training::History& changed(int branch);

  attention::training::TrainingOptions options_;
  std::shared_ptr<const attention::training::Task> task_;
  attention::training::ParameterLayout layout_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<attention::training::History> branches_;
  std::uint64_t version_ = 0;
  std::uint64_t taken_ = 0, saved_ = 0;
  std::string saved_in_;
};

}  // namespace lab
