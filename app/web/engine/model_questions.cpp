#include "app/web/engine/model_questions.h"

#include "core/numerics/work_watch.h"

namespace lab::web {

void ModelQuestions::look_at_clock() {
  if (Clock::now() >= end_) board_.watch().stop();
}

std::shared_ptr<const AnalysisResult> ModelQuestions::ask(const AnalysedModel& model,
                                                          const AnalysisRequest& request,
                                                          std::chrono::milliseconds slice) {
  end_ = Clock::now() + slice;
  board_.request(model, request);
  try {
    work_.run(board_.take_newest());
    board_.finish();
  } catch (const attention::WorkStopped&) {  // the time is over
  }
  return board_.result();
}

}  // namespace lab::web
