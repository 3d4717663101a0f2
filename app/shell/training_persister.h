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

/// Keeps one run of training on disk, in the folder that its model's source names.
class RunPersister {
 public:
  /// The time between two saves while steps are taken.
  static constexpr std::chrono::milliseconds kBetween{2000};

  /// Keeps no run yet.
  RunPersister() = default;
  /// Waits for a save that is under way. The folder stays.
  ~RunPersister() { wait(); }
  /// Can be neither copied nor moved.
  RunPersister(const RunPersister&) = delete;
  RunPersister& operator=(const RunPersister&) = delete;

  /// Call this after each frame with the document whose run is kept: a new run is saved at once,
  /// and then again in the background when there are new steps. The folder of a run that was kept
  /// before is removed. What fails is reported once in state.error.
  void keep(const Document& document, view::ViewState& state);
  /// Removes the folder.
  void finish();

 private:
  void begin(const TrainingPosition& position, const std::string& folder, view::ViewState& state);
  void save_in_background();
  void wait();
  void report(const Expected<void>& saved, view::ViewState& state);

  std::shared_ptr<TrainingRun> run_;
  std::optional<files::RunFolder> folder_;
  std::uint64_t saved_ = 0;  // TrainingRun::version of what is on disk
  std::chrono::steady_clock::time_point next_;
  std::future<Expected<void>> saving_;
  bool failed_ = false;
};

/// Keeps the runs that are trained in the window on disk, so that training goes on from the last
/// kept step after a crash: the user's one, which the journal refers to, and that of a lesson,
/// which the journal of its answers refers to.
class TrainingPersister {
 public:
  /// Follows `workspace`, which must outlive this.
  explicit TrainingPersister(const Workspace& workspace) : workspace_(workspace) {}

  /// Call this after each frame, before the journals are kept.
  void keep(view::ViewState& state);
  /// Removes the folders, because the window is closed normally: what was saved is elsewhere.
  void finish();

 private:
  const Workspace& workspace_;
  RunPersister users_, of_lesson_;
};

}  // namespace lab::shell
