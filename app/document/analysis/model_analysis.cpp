#include "app/document/analysis/model_analysis.h"

#include <thread>

#include "app/document/analysis/analysis_board.h"
#include "app/document/analysis/analysis_work.h"

namespace lab {

// The background thread, and what it shares with the others.
class ModelAnalysis::Worker {
 public:
  Worker(int threads, std::function<void()> on_ready)
      : board_(std::move(on_ready)), work_(board_, threads), thread_([this] { run(); }) {}
  ~Worker() { board_.close(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  AnalysisBoard& board() { return board_; }

 private:
  void run() {
    while (auto requested = board_.wait_for_newer()) {
      try {
        work_.run(std::move(*requested));
        board_.finish();
      } catch (const attention::WorkStopped&) {  // something newer was asked for
      }
    }
  }

  AnalysisBoard board_;
  AnalysisWork work_;
  std::jthread thread_;  // ends before what it uses
};

ModelAnalysis::ModelAnalysis(int threads, std::function<void()> on_ready)
    : worker_(std::make_unique<Worker>(threads, std::move(on_ready))) {}

ModelAnalysis::~ModelAnalysis() = default;

void ModelAnalysis::request(const AnalysedModel& model, const AnalysisRequest& requested) {
  worker_->board().request(model, requested);
}

std::shared_ptr<const AnalysisResult> ModelAnalysis::result() const {
  return worker_->board().result();
}

}  // namespace lab
