#pragma once

#include <memory>
#include <optional>

#include "app/document/analysis/unedited_model.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// What the panels know about a trained model besides its forward pass: they say in Ui::requested
/// what they show, and find in Ui::analysis and Ui::unedited what is known.
class ModelNumbers {
 public:
  /// Sets a callback that runs on another thread when a frame should be drawn because there is
  /// something new.
  void set_wake(std::function<void()> wake) { wake_ = std::move(wake); }

  /// Takes the newest numbers, for the next frame.
  void begin_frame();
  /// What was known when the frame began.
  const AnalysisResult& analysis() const { return *analysis_now_; }
  /// The same of the model without its edits.
  const AnalysisResult& unedited() const { return *unedited_now_; }
  /// Asks for what the panels requested in this frame.
  void end_frame(const Ui& ui);

  /// True while something that was asked for is being computed.
  bool busy() const;

 private:
  struct Services {
    /// `threads` are for the analysis; the unedited model has one. Both call `wake`.
    Services(int threads, const std::function<void()>& wake)
        : analysis(threads, wake), unedited(1, wake) {}
    ModelAnalysis analysis;
    UneditedModel unedited;
  };

  // What a model says without edits, which its heads are asked about also when it is edited.
  struct DefaultAnswer {
    std::shared_ptr<const ModelDocument> model;  // edited or not
    attention::network::Answer answer;
  };
  void follow_default_answer(const ModelDocument& model);
  std::optional<attention::network::Answer> default_answer(
      const ModelDocument& model, const std::optional<attention::Index>& row) const;

  std::function<void()> wake_;
  std::optional<DefaultAnswer> default_answer_;
  std::optional<Services> services_;  // made for the first model
  bool waits_for_unedited_ = false;
  std::shared_ptr<const AnalysisResult> analysis_now_ = std::make_shared<const AnalysisResult>();
  std::shared_ptr<const AnalysisResult> unedited_now_ = analysis_now_;
};

}  // namespace lab::view
