#include "app/document/analysis/unedited_model.h"

#include <exception>

#include "app/document/model/shown_layer.h"

namespace lab {

UneditedModel::UneditedModel(int threads, std::function<void()> on_ready)
    : on_ready_(std::move(on_ready)), evaluator_(threads), analysis_(threads, on_ready_) {}

void UneditedModel::request(const std::shared_ptr<const ModelDocument>& model,
                            const AnalysisRequest& requested) {
  take();
  edited_ = model && is_edited(*model);
  if (!model) {
    requested_.reset();
    read_ = {};
  }
  // The pass is kept: an edit that is undone often comes again.
  if (!edited_) return analysis_.request({}, {});
  follow(*model);
  const bool known = read_.document == requested_;
  analysis_.request(known ? read_ : AnalysedModel{}, known ? requested : AnalysisRequest{});
}

// Starts a forward pass when the text is another one.
void UneditedModel::follow(const ModelDocument& model) {
  if (!requested_ || !reads_the_same(*requested_, model))
    requested_ = std::make_shared<const ModelDocument>(without_edits(model));
  if (read_.document == requested_) return;
  if (evaluator_.busy()) {
    if (running_ != requested_) evaluator_.stop();
    return;
  }
  try {
    running_ = requested_;
    evaluator_.start(shown_layer(requested_, nearest_layer(requested_->network, {})), on_ready_);
  } catch (const std::exception&) {
    read_ = {requested_, nullptr};  // there is nothing to compare with
  }
}

// Takes over a forward pass that is done.
void UneditedModel::take() {
  if (!evaluator_.busy() || !evaluator_.finished()) return;
  try {
    read_ = {running_, evaluator_.take().network};
  } catch (const attention::WorkStopped&) {
    read_ = {};
  } catch (const std::exception&) {
    read_ = {running_, nullptr};
  }
}

std::shared_ptr<const AnalysisResult> UneditedModel::result() const {
  static const auto kNothing = std::make_shared<const AnalysisResult>();
  return edited_ && requested_ && read_.trace ? analysis_.result() : kNothing;
}

}  // namespace lab
