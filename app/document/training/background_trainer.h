#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/document/training/training_run.h"

namespace lab {

/// What a trainer is to do.
struct TrainingOrder {
  std::shared_ptr<TrainingRun> run;
  int branch = 0;                               ///< whose end is `from`
  attention::training::SharedState from;        ///< the state that the first step begins with
  std::optional<std::uint64_t> last_step = {};  ///< where it stops; unset: when it is asked to
};

/// Takes steps of training on a separate thread and adds them to their run. All members must be
/// called from one thread.
class BackgroundTrainer {
 public:
  /// Idle; the thread begins with start().
  BackgroundTrainer() = default;
  /// Stops, and waits for the end of the step.
  ~BackgroundTrainer() { stop(); }
  /// Can be neither copied nor moved: its thread refers to it.
  BackgroundTrainer(const BackgroundTrainer&) = delete;
  BackgroundTrainer& operator=(const BackgroundTrainer&) = delete;

  /// Begins, after what was going on was stopped. Throws std::system_error when there is no
  /// thread to be had.
  void start(TrainingOrder order);
  /// Stops after the step that is being taken, whose state is the newest of the branch.
  void stop();
  /// Waits until the order is done: a last step was reached, or it diverged.
  void wait();

  /// True until the order is done or stopped.
  bool running() const { return running_; }
  /// The order that was given last; nothing when there was none.
  const std::optional<TrainingOrder>& order() const { return order_; }
  /// Steps a second, of the last second or so; 0 while it is not known.
  double steps_per_second() const { return rate_; }
  /// Why training ended by itself, such as a learning rate that is too large; empty while it goes
  /// well. In English, for tr().
  std::string problem() const;

 private:
  void run(const std::stop_token& asked_to_stop, const TrainingOrder& order);
  void take_steps(const std::stop_token& asked_to_stop, const TrainingOrder& order);
  void set_problem(std::string problem);

  std::optional<TrainingOrder> order_;
  std::atomic<bool> running_ = false;
  std::atomic<double> rate_ = 0;
  mutable std::mutex mutex_;
  std::string problem_;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace lab
