#include "app/view/model/model_numbers.h"

#include <algorithm>
#include <thread>

#include "app/view/maps/model_heads.h"

namespace lab::view {
namespace {

int analysis_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
}

// The state that the panels show: A while it is shown in place of the edited one.
AnalysedModel analysed_model(const Ui& ui) {
  const Snapshot* const kept = ui.state.compare.shown();
  if (kept != nullptr) return {kept->document.layer.model, kept->network};
  return {ui.workspace.document().layer.model, ui.workspace.network_trace()};
}

}  // namespace

void ModelNumbers::begin_frame() {
  if (!services_) return;
  analysis_now_ = services_->analysis.result();
  unedited_now_ = services_->unedited.result();
}

void ModelNumbers::end_frame(const Ui& ui) {
  const AnalysedModel model = analysed_model(ui);
  if (!services_ && !model.document) return;
  if (!services_) services_.emplace(analysis_threads(), wake_);
  AnalysisRequest wanted = ui.wanted;
  if (!is_of_encoder(ui.document())) wanted.row = ui.state.selection.query;
  wanted.answer = ui.state.model.answer;
  wanted.pinned = ui.state.model.pinned;
  services_->analysis.request(model, model.document ? wanted : AnalysisRequest{});
  AnalysisRequest before;
  before.row = wanted.row;
  before.answer = wanted.answer;
  before.predictions = wanted.predictions;
  before.pinned = wanted.pinned;
  if (const auto& now = analysis_now_->predictions.value)
    for (const Prediction& one : now->top) before.pinned.push_back(one.id);
  services_->unedited.request(model.document, before);
  waits_for_unedited_ = before.predictions && model.document && is_edited(*model.document);
}

bool ModelNumbers::busy() const {
  if (!services_) return false;
  const bool before = waits_for_unedited_ && !services_->unedited.result()->predictions.current;
  return before || services_->analysis.result()->busy;
}

}  // namespace lab::view
