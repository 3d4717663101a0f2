#include "app/view/state/jobs.h"

#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "app/translation/words.h"
#include "app/view/state/ui.h"

namespace lab::view {

Job::Finish report_failure(const Error& error) {
  return [message = error.message](Ui& ui) { ui.state.error = message; };
}

Jobs::~Jobs() { stop(); }

void Jobs::set_patience(std::chrono::milliseconds patience, std::function<void()> on_ready) {
  patience_ = patience;
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
  if (patience_) result_.wait_for(*patience_);
  settle(ui);
}

void Jobs::settle(Ui& ui) {
  if (!result_.valid() || !ended()) return;
  finish(ui);
  if (busy() && !result_.valid()) begin();
}

bool Jobs::ended() const {
  return !patience_ || result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// The job stays in the queue until it is finished, so that what it holds is destroyed on this
// thread.
void Jobs::begin() {
  watch_.reset();
  started_ = Clock::now();
  auto task = std::make_shared<std::packaged_task<Job::Finish()>>(
      [this, &job = jobs_.front()] { return job.work(watch_); });
  result_ = task->get_future();
  const auto run = [task, on_ready = on_ready_] {
    (*task)();
    if (on_ready) on_ready();
  };
  try {
    thread_ = std::jthread(run);
  } catch (const std::system_error&) {
    run();  // no thread is available
  }
}

void Jobs::finish(Ui& ui) {
  Job::Finish act;
  try {
    act = result_.get();
  } catch (const attention::WorkStopped&) {
    ui.state.notice = tr("Stopped {}", {name()});
  } catch (const std::bad_alloc&) {
    ui.state.error = tr("There is not enough memory for {}.", {name()});
  } catch (const std::exception& problem) {
    ui.state.error = problem.what();
  }
  thread_ = {};
  const Job done = std::move(jobs_.front());
  jobs_.pop_front();
  if (act) act(ui);
}

}  // namespace lab::view
