#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/document/analysis/analysis_board.h"
#include "app/document/analysis/analysis_work.h"
#include "core/network/generation/continuation.h"

namespace lab::web {

/// What a page asks about a trained model besides its forward pass: the service of the window,
/// ModelAnalysis, in slices of time in place of a thread.
class ModelQuestions {
 public:
  ModelQuestions() : board_([this] { look_at_clock(); }), work_(board_, 1) {}

  /// Computes what is requested of this model for `slice`, or to the end; numbers that are not
  /// whole yet are continued by the next call. A step is never cut, so that one call may take
  /// longer. The result says whether there is more to do (`busy`).
  std::shared_ptr<const AnalysisResult> ask(const AnalysedModel& model,
                                            const AnalysisRequest& request,
                                            std::chrono::milliseconds slice);

  /// The keys and values of a text that goes on.
  attention::network::Continuation& continuation() { return continuation_; }

 private:
  using Clock = std::chrono::steady_clock;
  void look_at_clock();

  Clock::time_point end_ = {};
  AnalysisBoard board_;
  AnalysisWork work_;
  attention::network::Continuation continuation_;
};

}  // namespace lab::web
