#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/document/workspace.h"
#include "app/files/training/run_folder.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// Keeps the run that is trained in the window on disk, so that training goes on from the last kept
/// step after a crash: in the folder that the model's source names, which the journal refers to.
class TrainingKeeper {
 public:
  /// The time between two saves while steps are taken.
  static constexpr std::chrono::milliseconds kBetween{2000};

  /// Follows `workspace`, which must outlive this.
  explicit TrainingKeeper(const Workspace& workspace) : workspace_(workspace) {}
  /// Waits for a save that is under way. The folder stays.
  ~TrainingKeeper() { wait(); }
  TrainingKeeper(const TrainingKeeper&) = delete;
  TrainingKeeper& operator=(const TrainingKeeper&) = delete;

  /// Call this after each frame, before the journal is kept: a new run is saved at once, and then
  /// again in the background when there are new steps. What fails is reported once in state.error.
  void keep(view::ViewState& state);
  /// Removes the folder, because the window is closed normally: what was saved is elsewhere.
  void finish();

 private:
  void begin(const TrainingPlace& place, const std::string& folder, view::ViewState& state);
  void save_in_background();
  void wait();
  void report(const Expected<void>& saved, view::ViewState& state);

  const Workspace& workspace_;
  std::shared_ptr<TrainingRun> run_;
  std::optional<files::RunFolder> folder_;
  std::uint64_t saved_ = 0;  // TrainingRun::version of what is on disk
  std::chrono::steady_clock::time_point next_;
  std::future<Expected<void>> saving_;
  bool failed_ = false;
};

}  // namespace lab::shell
