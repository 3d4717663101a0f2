#include "app/web/engine/engine.h"

#include <exception>
#include <stdexcept>
#include <utility>

#include "app/base/bad_input.h"
#include "app/document/commands/reducer.h"
#include "app/translation/words.h"
#include "app/web/engine/requests.h"
#include "core/layer/trace.h"

namespace lab::web {

using attention::Index;
using attention::Stage;

namespace {

nlohmann::json refusal(const std::string& message) { return {{"error", message}}; }

}  // namespace

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
  workspace_ = std::make_unique<Workspace>(std::move(document));
  view_ = std::move(view);
}

Workspace& Engine::workspace() {
  if (!workspace_) throw BadInput("nothing is open");
  return *workspace_;
}

const attention::Matrix* Engine::stage(int stage, int head) {
  if (!workspace_ || stage < 0 || stage >= static_cast<int>(attention::kStageCount)) return nullptr;
  try {
    asked_ = attention::stage_matrix(workspace_->document().problem, workspace_->trace(),
                                     static_cast<Stage>(stage), head);
  } catch (const std::out_of_range&) {
    return nullptr;
  }
  return asked_.empty() ? nullptr : &*asked_;
}

const attention::Matrix* Engine::matrix(int id, int head) {
  if (!workspace_ || id < 0 || id >= static_cast<int>(attention::kMatrixCount)) return nullptr;
  const MatrixRef ref{static_cast<MatrixId>(id), head};
  if (!check_matrix(workspace_->document(), ref)) return nullptr;
  asked_ = effective_matrix(workspace_->document(), ref);
  return asked_.empty() ? nullptr : &*asked_;
}

}  // namespace lab::web
