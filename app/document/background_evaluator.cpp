#include "app/document/background_evaluator.h"

#include <utility>

namespace lab {

EvaluationReport BackgroundEvaluator::evaluate(const attention::Problem& problem) {
  const auto start = Clock::now();
  evaluator_.evaluate(problem, &watch_);
  const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
  return {evaluator_.report(), taken.count()};
}

EvaluationReport BackgroundEvaluator::run(const attention::Problem& problem) {
  watch_.reset();
  return evaluate(problem);
}

void BackgroundEvaluator::start(attention::Problem problem, std::function<void()> on_finished) {
  watch_.reset();
  std::packaged_task<EvaluationReport()> task(
      [this, problem = std::move(problem)] { return evaluate(problem); });
  auto result = task.get_future();
  thread_ = std::jthread([task = std::move(task), on_finished = std::move(on_finished)]() mutable {
    task();
    if (on_finished) on_finished();
  });
  result_ = std::move(result);
  started_ = Clock::now();
}

bool BackgroundEvaluator::wait_for(std::chrono::milliseconds patience) const {
  return result_.wait_for(patience) == std::future_status::ready;
}

}  // namespace lab
