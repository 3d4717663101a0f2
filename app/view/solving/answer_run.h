#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/document/commands/command.h"
#include "app/view/solving/answer_search.h"

namespace lab::view {

/// What a search has found for one value.
struct FoundAnswer {
  attention::Solution solution;
  /// The largest changes, the largest first.
  std::vector<attention::ChangedCell> changes;
  /// The edit that makes them, from the document that the search began with; without blocks when
  /// nothing changes.
  SetBlocks command;
};

/// One search for the smallest change, on a separate thread: begun with a document, asked for one
/// value after the other. All members must be called from one thread.
class AnswerRun {
 public:
  /// Begins to search for `value`.
  AnswerRun(std::unique_ptr<const AnswerTask> task, float value);
  /// Stops, and waits for the end of the step.
  ~AnswerRun();
  /// Can be neither copied nor moved: its thread refers to it.
  AnswerRun(const AnswerRun&) = delete;
  AnswerRun& operator=(const AnswerRun&) = delete;

  /// Asks for another value.
  void want(float value);
  /// Waits at most that long for the end of the search, then takes what has been found. True when
  /// the value asked for last was searched to the end, or cannot be tried.
  bool wait(std::chrono::milliseconds most);
  /// True while the search is going on, as of the last wait().
  bool searching() const { return !done_; }

  /// Why the value cannot be tried, as of the last wait(); empty when it can.
  const std::string& problem() const { return problem_; }
  /// What was found last, as of the last wait(); null: nothing yet.
  const FoundAnswer* found() const { return found_.get(); }
  /// The document that the search began with.
  const Document& document() const { return task_->document(); }

 private:
  // What the searching thread publishes.
  struct Report {
    float value = 0;
    bool done = false;
    std::optional<attention::SolveFault> fault;
    std::string failure;
    std::shared_ptr<const FoundAnswer> found;
  };

  void run(const std::stop_token& asked_to_stop);
  std::unique_ptr<AnswerSearch> begun(float value);
  void search_for(float value, AnswerSearch& search, const std::stop_token& asked_to_stop);
  std::optional<float> next_value(const std::stop_token& asked_to_stop);
  bool is_requested(float value);
  std::shared_ptr<const FoundAnswer> found_by(AnswerSearch& search) const;
  void publish(Report report);

  std::unique_ptr<const AnswerTask> task_;
  bool done_ = false;
  std::string problem_;
  std::shared_ptr<const FoundAnswer> found_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  float target_value_;  // guarded by mutex_, as is what follows
  bool is_new_ = true;  // the thread has not begun with target_value_ yet
  Report report_;
  std::jthread thread_;
};

}  // namespace lab::view
