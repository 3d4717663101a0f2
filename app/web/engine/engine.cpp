#include "app/web/engine/engine.h"

#include <exception>
#include <stdexcept>
#include <utility>

#include "app/base/bad_input.h"
#include "app/document/commands/reducer.h"
#include "app/document/model/model_document.h"
#include "app/translation/words.h"
#include "app/web/engine/lesson_session.h"
#include "app/web/engine/model_questions.h"
#include "app/web/engine/requests.h"
#include "app/web/engine/training_session.h"
#include "core/analysis/combine.h"
#include "core/layer/stage_info.h"
#include "core/layer/trace.h"

namespace lab::web {

using attention::Index;
using attention::Stage;

namespace {

using attention::SharedMatrix;

nlohmann::json refusal(const std::string& message) { return {{"error", message}}; }

// Empty when there is no such stage or head.
SharedMatrix stage_of(const attention::Problem& problem, const attention::Trace& trace, int stage,
                      int head) {
  if (stage < 0 || stage >= static_cast<int>(attention::kStageCount)) return {};
  try {
    return attention::stage_matrix(problem, trace, static_cast<Stage>(stage), head);
  } catch (const std::out_of_range&) {
    return {};
  }
}

// True when an axis of a stage of A has some of the cells that B has there.
bool fits(const PairedTokens& words, attention::Axis axis, Index a, Index b) {
  const bool of_words = axis == attention::Axis::kQueries || axis == attention::Axis::kKeys;
  return of_words ? words.share(axis) : a == b;
}

}  // namespace

Engine::Engine() = default;
Engine::~Engine() = default;

nlohmann::json Engine::answer(std::string_view request) {
  output_.clear();
  try {
    return answer_request(*this, request);
  } catch (const std::bad_alloc&) {
    return refusal(tr("There is not enough memory for this; nothing was changed."));
  } catch (const std::exception& problem) {
    return refusal(problem.what());
  }
}

void Engine::open(Document document, std::optional<files::SessionView> view) {
  show(std::move(document));
  view_ = std::move(view);
  lesson_.reset();
}

void Engine::show(Document document) {
  workspace_ = std::make_unique<Workspace>(std::move(document));
  view_.reset();
  kept_.reset();
  model_questions_.reset();
  training_.reset();
}

void Engine::set_lesson(std::unique_ptr<LessonSession> lesson) { lesson_ = std::move(lesson); }

void Engine::set_training(std::unique_ptr<TrainingSession> training) {
  training_ = std::move(training);
}

Workspace& Engine::workspace() {
  if (!workspace_) throw BadInput("nothing is open");
  return *workspace_;
}

ModelQuestions& Engine::model_questions() {
  if (!model_questions_) model_questions_ = std::make_unique<ModelQuestions>();
  return *model_questions_;
}

attention::MatrixView Engine::model_weights(int sublayer, int layer, int head) {
  static const attention::Matrix none;
  const auto& model = workspace_ ? workspace_->document().layer.model : nullptr;
  const attention::network::LayerId at{static_cast<attention::network::Sublayer>(sublayer), layer};
  if (!model || !workspace_->network_trace() || sublayer < 0 ||
      at.sublayer > attention::network::Sublayer::kEncoder || head < 0 ||
      find_attention(model->network, at) == nullptr)
    return none;
  const attention::Matrix& all = weights_at(*workspace_->network_trace(), at);
  const Index n = stack_trace(*workspace_->network_trace(), at.sublayer).n();
  if ((head + 1) * n > all.rows()) return none;
  return all.middleRows(head * n, n);
}

void Engine::keep() {
  Workspace& now = workspace();
  kept_.emplace(KeptState{{now.document(), now.trace(), now.network_trace()}, {}});
}

const KeptState* Engine::kept() {
  if (!kept_) return nullptr;
  kept_->words = paired_tokens(kept_->a.document, workspace().document());
  return &*kept_;
}

const attention::Matrix* Engine::stage(int stage, int head) {
  if (!workspace_) return nullptr;
  asked_ = stage_of(workspace_->document().problem, workspace_->trace(), stage, head);
  return asked_.empty() ? nullptr : &*asked_;
}

const attention::Matrix* Engine::matrix(int id, int head) {
  if (!workspace_ || id < 0 || id >= static_cast<int>(attention::kMatrixCount)) return nullptr;
  const MatrixRef ref{static_cast<MatrixId>(id), head};
  if (!check_matrix(workspace_->document(), ref)) return nullptr;
  asked_ = effective_matrix(workspace_->document(), ref);
  return asked_.empty() ? nullptr : &*asked_;
}

const attention::Matrix* Engine::kept_stage(int stage, int head) {
  if (!kept_) return nullptr;
  asked_ = stage_of(kept_->a.document.problem, kept_->a.trace, stage, head);
  return asked_.empty() ? nullptr : &*asked_;
}

const attention::Matrix* Engine::difference(int stage, int head) {
  const KeptState* const kept = workspace_ ? this->kept() : nullptr;
  if (kept == nullptr) return nullptr;
  const SharedMatrix a = stage_of(kept->a.document.problem, kept->a.trace, stage, head);
  const SharedMatrix b = stage_of(workspace_->document().problem, workspace_->trace(), stage, head);
  if (a.empty() || b.empty()) return nullptr;
  const attention::StageInfo& info = attention::stage_info(static_cast<Stage>(stage));
  if (!fits(kept->words, info.rows, a->rows(), b->rows()) ||
      !fits(kept->words, info.cols, a->cols(), b->cols()))
    return nullptr;
  asked_ = SharedMatrix(attention::difference(
      kept->words.equal ? *a : aligned_to_b(kept->words, static_cast<Stage>(stage), *a, *b), *b));
  return &*asked_;
}

}  // namespace lab::web
