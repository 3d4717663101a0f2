#include "app/document/training/background_trainer.h"
#include "app/base/system.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/training/record.h"

namespace lab {
namespace {

using attention::training::StepReport;
using attention::training::Trainer;
using Clock = std::chrono::steady_clock;

// One processor is left to the window.
int training_threads() {
  constexpr unsigned kMost = 8;
  const unsigned all = std::thread::hardware_concurrency();
  return static_cast<int>(std::clamp(all > 1 ? all - 1 : 1, 1u, kMost));
}

// Says when the newest state is to be shown, and how fast steps are taken.
class Pace {
 public:
  // True once every kBetween.
  bool is_due() {
    const auto now = Clock::now();
    if (now - shown_ < kBetween) return false;
    shown_ = now;
    return true;
  }
  double after_step() {
    ++steps_;
    const std::chrono::duration<double> passed = Clock::now() - begun_;
    if (passed < kWindow) return rate_;
    rate_ = steps_ / passed.count();
    begun_ = Clock::now();
    steps_ = 0;
    return rate_;
  }

 private:
  static constexpr std::chrono::milliseconds kBetween{60}, kWindow{800};
  Clock::time_point shown_ = Clock::now(), begun_ = shown_;
  int steps_ = 0;
  double rate_ = 0;
};

}  // namespace

void BackgroundTrainer::start(TrainingOrder order) {
  stop();
  set_problem({});
  order_ = order;
  rate_ = 0;
  running_ = true;
  try {
    thread_ = std::jthread(
        [this, order = std::move(order)](const std::stop_token& asked) { run(asked, order); });
  } catch (...) {
    running_ = false;
    throw;
  }
}

void BackgroundTrainer::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void BackgroundTrainer::wait() {
  if (thread_.joinable()) thread_.join();
}

std::string BackgroundTrainer::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void BackgroundTrainer::set_problem(std::string problem) {
  const std::lock_guard lock(mutex_);
  problem_ = std::move(problem);
}

void BackgroundTrainer::run(const std::stop_token& asked_to_stop, const TrainingOrder& order) {
  try {
    lower_thread_priority();  // the window and what it shows come first
    take_steps(asked_to_stop, order);
  } catch (const std::exception& problem) {
    set_problem(problem.what());
  }
  running_ = false;
}

void BackgroundTrainer::take_steps(const std::stop_token& asked_to_stop,
                                   const TrainingOrder& order) {
  TrainingRun& run = *order.run;
  Trainer trainer(run.options());
  trainer.restore(*order.from);
  attention::ThreadPool pool(training_threads());
  Pace pace;
  bool more = !order.last_step || trainer.steps() < *order.last_step;
  while (more) {
    const StepReport report = trainer.step(pool);
    if (report.diverged) {
      run.end_at(order.branch, trainer.state());
      return set_problem(kDiverged);
    }
    TakenStep taken{attention::training::recorded_step(trainer, report), {}};
    more =
        !asked_to_stop.stop_requested() && (!order.last_step || trainer.steps() < *order.last_step);
    if (!more || pace.is_due() || run.keeps(order.branch, report.step))
      taken.state = trainer.state();
    run.add(order.branch, std::move(taken));
    rate_ = pace.after_step();
  }
}

}  // namespace lab
