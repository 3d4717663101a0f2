#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "app/base/error.h"
#include "core/numerics/work_watch.h"

namespace lab::view {

struct Ui;

/// What is to be done aside: files are read and written while the window goes on.
struct Job {
  /// What becomes of the outcome, on the thread that draws.
  using Finish = std::function<void(Ui&)>;

  std::string name;  ///< for the status bar: "saving"
  /// The work, on a thread of its own; it shares nothing that is written to. It tells its watch how
  /// far it is, and throws what the watch throws.
  std::function<Finish(attention::WorkWatch&)> work;
  /// False: it is short, and half of it would be worth nothing.
  bool can_stop = true;
};

/// What becomes of a job that failed: the message goes to ui.state.error.
Job::Finish complaint(const Error& error);

/// The jobs of a window, one after the other in the order in which they were asked for. All members
/// are called from one thread.
class Jobs {
 public:
  Jobs() = default;
  /// Stops the job that goes on, if it can be stopped, and waits for its end; the others are not
  /// begun.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// How long start() waits for a job before the window goes on without, and who is then told,
  /// from another thread, that settle() should be called. Unless set, start() waits for the end.
  void set_patience(std::chrono::milliseconds patience, std::function<void()> told);
  /// Asks for a job. When it is done soon, finishes it before it returns. That a job was
  /// stopped is said in ui.state.notice, why one failed in ui.state.error.
  void start(Ui& ui, Job job);
  /// Finishes the job that goes on, if it is done, and begins with the next. A step of the frame
  /// (main_view.cpp), before the panels: what one job asked of the workspace is carried out before
  /// the next is finished.
  void settle(Ui& ui);

  /// True while a job goes on or waits.
  bool busy() const { return !jobs_.empty(); }
  /// Ends the job that goes on, if it can be stopped.
  void stop();
  /// The job that goes on: its name, whether it can be stopped, the share that is done, from 0 to 1
  /// (0 when it does not tell), and for how long it has been running. Precondition: busy().
  const std::string& name() const { return jobs_.front().name; }
  bool can_stop() const { return jobs_.front().can_stop; }
  double progress() const { return watch_.progress(); }
  std::chrono::duration<double> running_for() const { return Clock::now() - started_; }

 private:
  using Clock = std::chrono::steady_clock;

  void begin();
  bool ended() const;
  void finish(Ui& ui);

  std::deque<Job> jobs_;  // the first goes on
  attention::WorkWatch watch_;
  Clock::time_point started_;
  std::future<Job::Finish> result_;
  std::optional<std::chrono::milliseconds> patience_;
  std::function<void()> told_;
  std::jthread thread_;
};

}  // namespace lab::view
