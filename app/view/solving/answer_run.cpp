#include "app/view/solving/answer_run.h"

#include <exception>
#include <utility>

#include "app/document/solving/solve_words.h"

namespace lab::view {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Between two of the answers that are shown on the way.
constexpr milliseconds kBetweenReports{10};

}  // namespace

AnswerRun::AnswerRun(std::unique_ptr<const AnswerTask> task, float value)
    : task_(std::move(task)), target_value_(value) {
  thread_ = std::jthread([this](const std::stop_token& asked_to_stop) { run(asked_to_stop); });
}

AnswerRun::~AnswerRun() {
  thread_.request_stop();
  thread_.join();
}

void AnswerRun::want(float value) {
  done_ = false;
  {
    const std::lock_guard lock(mutex_);
    target_value_ = value;
    is_new_ = true;
    report_.done = false;
  }
  changed_.notify_all();
}

bool AnswerRun::wait(milliseconds most) {
  Report report;
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [this] { return report_.done; });
    report = report_;
  }
  done_ = report.done;
  problem_ = report.fault ? task_->words(*report.fault, report.value) : report.failure;
  if (report.found) found_ = report.found;
  return done_;
}

void AnswerRun::run(const std::stop_token& asked_to_stop) {
  std::unique_ptr<AnswerSearch> search;
  while (const auto value = next_value(asked_to_stop)) {
    try {
      if (!search) search = begun(*value);
      if (search) search_for(*value, *search, asked_to_stop);
    } catch (const std::exception& error) {
      search.reset();
      publish({*value, true, {}, error.what(), {}});
    }
  }
}

// Null when it cannot be tried.
std::unique_ptr<AnswerSearch> AnswerRun::begun(float value) {
  auto search = task_->begin();
  if (search) return std::move(*search);
  publish({value, true, search.error(), {}, {}});
  return nullptr;
}

void AnswerRun::search_for(float value, AnswerSearch& search,
                           const std::stop_token& asked_to_stop) {
  if (const auto fault = search.want(value)) return publish({value, true, fault, {}, {}});
  auto last = steady_clock::now();
  while (search.step()) {
    if (asked_to_stop.stop_requested() || !is_requested(value)) return;
    if (steady_clock::now() - last < kBetweenReports) continue;
    publish({value, false, {}, {}, found_by(search)});
    last = steady_clock::now();
  }
  publish({value, true, {}, {}, found_by(search)});
}

// Waits until there is one; std::nullopt when it is to stop.
std::optional<float> AnswerRun::next_value(const std::stop_token& asked_to_stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, asked_to_stop, [this] { return is_new_; })) return std::nullopt;
  is_new_ = false;
  return target_value_;
}

bool AnswerRun::is_requested(float value) {
  const std::lock_guard lock(mutex_);
  return !is_new_ || target_value_ == value;
}

std::shared_ptr<const FoundAnswer> AnswerRun::found_by(AnswerSearch& search) const {
  FoundAnswer found;
  found.solution = search.solution();
  found.changes = largest_changes(task_->document(), found.solution);
  found.command = solved_blocks(task_->document(), found.solution.problem, task_->numbers().rows);
  return std::make_shared<const FoundAnswer>(std::move(found));
}

// An answer to a value that is no longer requested is shown, but is not the end.
void AnswerRun::publish(Report report) {
  {
    const std::lock_guard lock(mutex_);
    report.done = report.done && !is_new_;
    report_ = std::move(report);
  }
  changed_.notify_all();
}

}  // namespace lab::view
