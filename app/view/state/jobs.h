#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "app/base/background_task.h"
#include "app/base/error.h"
#include "core/numerics/work_watch.h"

namespace lab::view {

struct Ui;

/// Work for the background: files are read and written while the window keeps responding.
struct Job {
  /// Handles the outcome, on the thread that draws.
  using Finish = std::function<void(Ui&)>;

  std::string name;  ///< for the status bar: "saving"
  /// The work, run on a background thread; it must not share anything that is modified. It reports
  /// its progress to the watch, and throws what the watch throws.
  std::function<Finish(attention::WorkWatch&)> work;
  /// False: it is short, and stopping half way would be useless.
  bool can_stop = true;
};

/// The outcome of a job that failed: its message goes to ui.state.error.
Job::Finish report_failure(const Error& error);

/// The jobs of a window, run one after the other in the order in which they were started. All
/// members must be called from one thread.
class Jobs {
 public:
  /// Without jobs; start() waits for each until that is set otherwise.
  Jobs() = default;
  /// Stops the running job, if it can be stopped, and waits for its end; pending jobs are not
  /// started.
  ~Jobs();
  /// Can be neither copied nor moved: the running job refers to it.
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Sets how long start() waits for a job before leaving it in the background, and a callback that
  /// then runs on another thread when settle() should be called. Unless set, start() waits for the
  /// end.
  void set_sync_timeout(std::chrono::milliseconds sync_timeout, std::function<void()> on_ready);
  /// Adds a job. If it is done soon enough, finishes it before returning. ui.state.notice says that
  /// a job was stopped, ui.state.error why one failed.
  void start(Ui& ui, Job job);
  /// Finishes the running job, if it is done, and starts the next. A step of the frame
  /// (main_view.cpp), before the panels, so that the intents of one job are executed before the
  /// next is finished.
  void settle(Ui& ui);

  /// True while a job is running or pending.
  bool busy() const { return !jobs_.empty(); }
  /// Stops the running job, if it can be stopped.
  void stop();
  /// The running job: its name, whether it can be stopped, the fraction that is done, from 0 to 1
  /// (0 when it does not report it), and how long it has been running. Precondition: busy().
  const std::string& name() const { return jobs_.front().name; }
  /// Whether stop() has an effect on it.
  bool can_stop() const { return jobs_.front().can_stop; }
  /// The fraction of it that is done, from 0 to 1.
  double progress() const { return watch_.progress(); }
  /// How long it has been running.
  std::chrono::duration<double> running_for() const { return task_.running_for(); }

 private:
  void begin();
  bool ended() const;
  void finish(Ui& ui);

  std::deque<Job> jobs_;  // the first one is running
  attention::WorkWatch watch_;
  std::optional<std::chrono::milliseconds> sync_timeout_;
  std::function<void()> on_ready_;
  BackgroundTask<Job::Finish> task_;  // last: it uses the others
};

}  // namespace lab::view
