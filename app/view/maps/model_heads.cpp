#include "app/view/maps/model_heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/analysis/predictions.h"
#include "app/document/model/layer_name.h"
#include "app/view/maps/navigation.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::network::LayerId;

// An answer at the last of the `rows` that can predict stays there, whatever the text becomes.
void follow_answer(ModelState& state, Index rows) {
  const Index before = std::exchange(state.rows, rows);
  if (!state.answer) return;
  const bool at_end = before > 0 && before != rows && state.answer->row == before - 1;
  if (at_end || state.answer->row >= rows) state.answer->row = rows - 1;
}

}  // namespace

const ModelDocument* shown_model(const Ui& ui) { return ui.document().layer.model.get(); }
bool has_model(const Ui& ui) { return shown_model(ui) != nullptr; }
const ModelDocument* edited_model(const Ui& ui) { return ui.edited().layer.model.get(); }

bool is_of_encoder(const Document& document) {
  return document.layer.at.sublayer == attention::network::Sublayer::kEncoder;
}

void go_to_head(Ui& ui, const HeadRef& head) {
  ui.state.head = static_cast<int>(head.head);
  if (head.at != ui.edited().layer.at) ui.queue(intent::GoToLayer{head.at});
}

void go_to_layer(Ui& ui, int by) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr) return go_to_array_layer(ui, by);
  LayerId at = ui.edited().layer.at;
  at.layer += by;
  while (is_convolution(model->network, at)) at.layer += by < 0 ? -1 : 1;
  if (find_attention(model->network, at) != nullptr) ui.queue(intent::GoToLayer{at});
}

Index first_row_asked(const Workspace& workspace) {
  const ModelDocument& model = *workspace.document().layer.model;
  const auto rows = predicting_rows(model);
  const Index last = workspace.document().problem.seq_len() - 1;
  return rows && !rows->empty() ? std::min(rows->front(), last) : last;
}

void follow_last_token(Ui& ui) {
  ModelState& state = ui.state.model;
  if (const auto at = std::exchange(state.go_to, std::nullopt); at && *at != ui.edited().layer.at)
    ui.queue(intent::GoToLayer{*at});
  if (shown_model(ui) == nullptr) return;
  const auto& model = ui.document().layer.model;
  const Index tokens = ui.document().problem.seq_len();
  // Another text may have as many tokens, and its words move the selection.
  const bool same = state.read && state.read->text == model->text &&
                    state.read->decoder_text == model->decoder_text;
  const bool changed = tokens != state.tokens || !same;
  if (state.at_end && changed) ui.state.selection.query = tokens - 1;
  state.tokens = tokens;
  state.read = model;
  state.at_end = ui.state.selection.query == tokens - 1;
  follow_answer(state, std::ssize(tokens_of(*model).ids));
}

const std::vector<ListedEdit>& listed_edits(Ui& ui) {
  EditList& listed = ui.state.model.edits;
  const auto& model = ui.edited().layer.model;
  if (!model || listed.of != model) listed = {model, edits_of(ui.edited())};
  return listed.edits;
}

void forget_choices(ViewState& view) {
  view.heads.chosen.clear();
  view.heads.menu.reset();
  view.heads.marked.clear();
  view.sensitivity.cell.reset();
  view.sensitivity.held = false;
  view.sensitivity.at = {};
  ModelState& state = view.model;
  state.answer.reset();
  state.pinned.clear();
  state.watched.clear();
}

void zoom_tiles(Ui& ui, int steps) {
  constexpr float kStep = 1.25f;
  float& zoom = ui.state.model.zoom;
  zoom =
      std::clamp(zoom * std::pow(kStep, static_cast<float>(steps)), kSmallestTiles, kLargestTiles);
}

std::string name_of_head(const HeadRef& head) { return model_head_name(head.at, head.head); }

}  // namespace lab::view
