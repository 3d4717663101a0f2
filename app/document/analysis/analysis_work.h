#pragma once

#include <memory>
#include <optional>

#include "app/document/analysis/analysis_board.h"
#include "app/document/analysis/answer_sweep.h"
#include "app/document/analysis/head_explorer.h"
#include "core/numerics/thread_pool.h"

namespace lab {

/// What the background thread of a ModelAnalysis computes, and what it keeps for later requests.
class AnalysisWork {
 public:
  /// Throws std::system_error when the threads cannot be started.
  AnalysisWork(AnalysisBoard& board, int threads) : board_(board), pool_(threads) {}

  /// Computes what is requested and not yet on the board, the cheap entries first, and puts it
  /// there. Throws attention::WorkStopped when the board's watch was stopped.
  void run(RequestedAnalysis requested);

 private:
  // A computation in steps, which is continued when it was stopped.
  template <typename Job>
  struct Running {
    EntryInputs inputs;
    std::unique_ptr<Job> job;  // refers to what `inputs` keeps
  };
  // The logits of a row, [1 × vocabulary], or its logit lens, a line for each layer.
  struct RowLogits {
    AnalysedModel model;
    attention::Index row = 0;
    attention::Matrix logits;
  };

  template <typename Value, typename Compute>
  void compute(const EntryId<Value>& id, const RequestedAnalysis& requested, Compute compute);
  template <typename Value, typename Job, typename Start, typename Show>
  void fill_in(const EntryId<Value>& id, const RequestedAnalysis& requested, Running<Job>& running,
               Start start, Show show);

  Expected<const attention::Matrix*> row_logits(const RequestedAnalysis& requested);
  Expected<const attention::Matrix*> row_lens(const RequestedAnalysis& requested);
  Expected<attention::RowVector> answer_logits(const RequestedAnalysis& requested);
  void find_likeliest(RequestedAnalysis& requested);
  void find_answer(RequestedAnalysis& requested);
  Expected<AskedAnswer> answer() const;
  void compute_row(const RequestedAnalysis& requested);
  void compute_text(const RequestedAnalysis& requested);
  void compute_direct(const RequestedAnalysis& requested);
  void compute_gradient(const RequestedAnalysis& requested);
  void fill_in_labels(const RequestedAnalysis& requested);
  void fill_in_maps(const RequestedAnalysis& requested);
  void fill_in_lens(const RequestedAnalysis& requested);
  void explore(const RequestedAnalysis& requested);
  ModelPass pass_of(const AnalysedModel& model) { return {*model.document, *model.trace, pool_}; }

  AnalysisBoard& board_;
  attention::ThreadPool pool_;
  std::optional<RowLogits> row_logits_, row_lens_;
  Running<HeadLabelling> labels_;
  Running<AnswerSweep> knock_out_, patching_;
  Running<LensSweep> lens_;
  Running<HeadExplorer> exploration_;
};

}  // namespace lab
