#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/analysis/analysis_result.h"

namespace lab {

// What a window shows about a trained model besides its forward pass, computed on a background
// thread. A window owns one ModelAnalysis, and its panels do this on every frame:
//
//     AnalysisRequest request;  // what the open panels show
//     request.row = selected_row;
//     request.predictions = request.lens = true;
//     request.knock_out = map_is_open;
//     analysis.request({document, trace}, request);  // cheap when nothing changed
//     const std::shared_ptr<const AnalysisResult> result = analysis.result();
//     if (const auto& top = result->predictions.value) draw(*top, result->predictions.current);
//     else if (result->predictions.current) draw(tr(result->predictions.error));
//
// Numbers that do not depend on what changed stay current: another pinned token leaves a knock-out
// map alone, and half of one that was interrupted is continued.

/// A model that has read its text. Both are shared and never changed afterwards.
struct AnalysedModel {
  std::shared_ptr<const ModelDocument> document;
  std::shared_ptr<const attention::network::NetworkTrace> trace;  ///< the forward pass of it
  bool operator==(const AnalysedModel&) const = default;
};

/// What panels want to know. Parts that are not asked for are not computed; what is already known
/// of them stays in the result.
struct AnalysisRequest {
  std::optional<attention::Index> row;               ///< unset: the first that predicts
  std::optional<attention::network::Answer> answer;  ///< unset: the likeliest token of `row`
  std::vector<std::uint32_t> pinned;                 ///< ids that predictions always has

  bool predictions = false;       ///< of `row`
  bool lens = false;              ///< of `row`
  bool masked = false;            ///< predictions at each [MASK], or after the last token
  bool entropies = false;         ///< of each head on this text
  bool direct = false;            ///< direct attribution of the answer
  bool labels = false;            ///< of the heads, on random tokens: once for each network
  bool knock_out = false;         ///< of the answer; fills in, later layers first
  AnalysedModel patch_from;       ///< another text of as many tokens, see patch_source(): how the
                                  ///< answer changes with each head's output there; fills in.
                                  ///< Null: no such map
  bool lens_of_all_rows = false;  ///< fills in, layer by layer
  std::optional<ExplorationRequest> exploration;  ///< fills in, piece by piece
  std::optional<GradientRequest> gradient;        ///< gradient of the answer, or of a cell
  bool operator==(const AnalysisRequest&) const = default;
};

/// Computes what is asked for, the cheap entries first. The newest request wins: work that it does
/// not want any more is stopped, within the time of one layer of one group of heads. request() and
/// result() may be called from any thread, and never wait for a computation.
class ModelAnalysis {
 public:
  /// `threads` share the products; `on_ready`, which may be empty, is called from the background
  /// thread whenever result() has something new. Throws std::system_error when the thread cannot
  /// be started.
  ModelAnalysis(int threads, std::function<void()> on_ready);
  /// Stops the work and waits for the thread; `on_ready` is not called afterwards.
  ~ModelAnalysis();
  /// An analysis can be neither copied nor moved.
  ModelAnalysis(const ModelAnalysis&) = delete;
  ModelAnalysis& operator=(const ModelAnalysis&) = delete;

  /// Asks for these numbers of this model, instead of what was asked for before. Null pointers in
  /// `model` ask for nothing. Returns at once; costs only comparisons when nothing changed.
  void request(const AnalysedModel& model, const AnalysisRequest& requested);

  /// The newest numbers, never null. They do not change; a later call may return others.
  std::shared_ptr<const AnalysisResult> result() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace lab
