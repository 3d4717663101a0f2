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

void ModelNumbers::follow_default_answer(const ModelDocument& model) {
  const auto& known = is_edited(model) ? unedited_now_->predictions : analysis_now_->predictions;
  if (!known.value || !known.current || known.value->top.empty()) return;
  default_answer_ = {known.document, {known.value->row, known.value->top.front().id}};
}

// Nothing for a model without edits, whose answer is found anew.
std::optional<attention::network::Answer> ModelNumbers::default_answer(
    const ModelDocument& model, const std::optional<attention::Index>& row) const {
  if (!default_answer_ || !is_edited(model) || (row && *row != default_answer_->answer.row))
    return std::nullopt;
  const bool same = reads_the_same(*default_answer_->model, model);
  return same ? std::optional(default_answer_->answer) : std::nullopt;
}

void ModelNumbers::end_frame(const Ui& ui) {
  const AnalysedModel model = analysed_model(ui);
  if (!services_ && !model.document) return;
  if (!services_) services_.emplace(analysis_threads(), wake_);
  AnalysisRequest requested = ui.requested;
  if (!is_of_encoder(ui.document())) requested.row = ui.state.selection.query;
  requested.answer = ui.state.model.answer;
  if (model.document) {
    follow_default_answer(*model.document);
    if (!requested.answer) requested.answer = default_answer(*model.document, requested.row);
  }
  requested.pinned = ui.state.model.pinned;
  const SolveState& solve = ui.state.solve;
  if (solve.open && solve.logit)
    requested.pinned.push_back(solve.logit->token);  // stays in the list
  services_->analysis.request(model, model.document ? requested : AnalysisRequest{});
  AnalysisRequest before;
  before.row = requested.row;
  before.answer = ui.state.model.answer;
  before.predictions = requested.predictions;
  before.pinned = requested.pinned;
  if (const auto& now = analysis_now_->predictions.value)
    for (const Prediction& one : now->top) before.pinned.push_back(one.id);
  services_->unedited.request(model.document, before);
  waits_for_unedited_ = before.predictions && model.document && is_edited(*model.document);
}

bool ModelNumbers::busy() const {
  if (!services_) return false;
  // What is new may lead to another question in the next frame.
  if (services_->analysis.result() != analysis_now_) return true;
  if (services_->unedited.result() != unedited_now_) return true;
  const bool before = waits_for_unedited_ && !services_->unedited.result()->predictions.current;
  return before || services_->analysis.result()->busy;
}

}  // namespace lab::view
