#include "app/view/state/jobs.h"

#include <exception>
#include <new>
#include <utility>

#include "app/translation/words.h"
#include "app/view/state/ui.h"

namespace lab::view {

Job::Finish report_failure(const Error& error) {
  return [message = error.message](Ui& ui) { ui.state.error = message; };
}

Jobs::~Jobs() { stop(); }

void Jobs::set_sync_timeout(std::chrono::milliseconds sync_timeout,
                            std::function<void()> on_ready) {
  sync_timeout_ = sync_timeout;
  on_ready_ = std::move(on_ready);
}

void Jobs::stop() {
  if (busy() && can_stop()) watch_.stop();
}

void Jobs::start(Ui& ui, Job job) {
  const bool waits = busy();
  jobs_.push_back(std::move(job));
  if (waits) return;
  begin();
  if (sync_timeout_) task_.wait_for(*sync_timeout_);
  settle(ui);
}

void Jobs::settle(Ui& ui) {
  if (!task_.busy() || !ended()) return;
  finish(ui);
  if (busy() && !task_.busy()) begin();
}

bool Jobs::ended() const { return !sync_timeout_ || task_.finished(); }

// The job stays in the queue until it is finished, so that what it holds is destroyed on this
// thread.
void Jobs::begin() {
  watch_.reset();
  task_.start([this, &job = jobs_.front()] { return job.work(watch_); }, on_ready_);
}

void Jobs::finish(Ui& ui) {
  Job::Finish act;
  try {
    act = task_.take();
  } catch (const attention::WorkStopped&) {
    ui.state.notice = tr("Stopped {}", {name()});
  } catch (const std::bad_alloc&) {
    ui.state.error = tr("There is not enough memory for {}.", {name()});
  } catch (const std::exception& problem) {
    ui.state.error = problem.what();
  }
  task_.wait();
  const Job done = std::move(jobs_.front());
  jobs_.pop_front();
  if (act) act(ui);
}

}  // namespace lab::view
