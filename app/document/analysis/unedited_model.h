#pragma once

#include <functional>
#include <memory>

#include "app/document/analysis/model_analysis.h"
#include "app/document/background_evaluator.h"

namespace lab {

/// What a model says without its edits, to be compared with what it says with them. Computed on
/// background threads; all members must be called from one thread.
class UneditedModel {
 public:
  /// As for ModelAnalysis.
  UneditedModel(int threads, std::function<void()> on_ready);

  /// Asks for these numbers of `model` on its texts without its edits; of one that is not edited,
  /// and of none (null), for nothing. Cheap when nothing changed.
  void request(const std::shared_ptr<const ModelDocument>& model, const AnalysisRequest& requested);

  /// The newest numbers, see ModelAnalysis::result(). Those of an unedited model are empty.
  std::shared_ptr<const AnalysisResult> result() const;

 private:
  void follow(const ModelDocument& model);
  void take();

  std::function<void()> on_ready_;
  BackgroundEvaluator evaluator_;
  ModelAnalysis analysis_;
  bool edited_ = false;  // the model that was asked about last
  AnalysedModel read_;   // its forward pass is known
  std::shared_ptr<const ModelDocument>
      requested_;  // the model without edits; null: none is requested
  std::shared_ptr<const ModelDocument> running_;  // whose forward pass is being computed
};

}  // namespace lab
