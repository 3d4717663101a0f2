#include "app/view/maps/model_heads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/wording.h"
#include "app/document/analysis/predictions.h"
#include "app/document/model/layer_name.h"
#include "app/translation/words.h"
#include "app/view/maps/navigation.h"

namespace lab::view {
namespace {

using attention::HeadMix;
using attention::Index;
using attention::network::LayerPlace;

// The tile whose name the keyboard focus is on.
std::optional<ModelHead> tile_with_focus(const Ui& ui) {
  const auto& on = ui.state.keyboard_focus.on;
  if (!on || !on->name.starts_with("tile/")) return std::nullopt;
  const LayerPlace at = ui.document().layer.at;
  const std::string_view numbers = std::string_view(on->name).substr(5);
  const std::size_t slash = numbers.find('/');
  if (slash == numbers.npos) return std::nullopt;
  ModelHead head{{at.sublayer, std::atoi(std::string(numbers.substr(0, slash)).c_str())},
                 std::atoi(std::string(numbers.substr(slash + 1)).c_str())};
  return head;
}

void set_mix(Ui& ui, const ModelHead& head, SetHeadMix command, const StepLabel& label) {
  command.head = static_cast<int>(head.head);
  ui.queue(intent::Apply{command, {}, head.at, label, key_of_step(ui)});
}

// An answer at the last of the `rows` that can predict stays there, whatever the text becomes.
void follow_answer(ModelState& state, Index rows) {
  const Index before = std::exchange(state.rows, rows);
  if (!state.answer) return;
  const bool at_end = before > 0 && before != rows && state.answer->row == before - 1;
  if (at_end || state.answer->row >= rows) state.answer->row = rows - 1;
}

// Those of the heads whose mix has that.
template <typename Has>
std::vector<ModelHead> heads_with(const ModelDocument& model, std::vector<ModelHead> heads,
                                  const Has& has) {
  std::erase_if(heads, [&](const ModelHead& head) {
    return !has(head_mix(model.interventions, head.at, head.head));
  });
  return heads;
}

}  // namespace

const ModelDocument* shown_model(const Ui& ui) { return ui.document().layer.model.get(); }
bool has_model(const Ui& ui) { return shown_model(ui) != nullptr; }
const ModelDocument* edited_model(const Ui& ui) { return ui.edited().layer.model.get(); }

bool is_of_encoder(const Document& document) {
  return document.layer.at.sublayer == attention::network::Sublayer::kEncoder;
}

ModelHead focused_head(const Ui& ui) { return {ui.document().layer.at, ui.state.head}; }

void go_to_head(Ui& ui, const ModelHead& head) {
  ui.state.head = static_cast<int>(head.head);
  if (head.at != ui.edited().layer.at) ui.queue(intent::GoToLayer{head.at});
}

void go_to_layer(Ui& ui, int by) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr) return go_to_array_layer(ui, by);
  LayerPlace at = ui.edited().layer.at;
  at.layer += by;
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

const std::vector<ModelEdit>& listed_edits(Ui& ui) {
  ListedEdits& listed = ui.state.model.edits;
  const auto& model = ui.edited().layer.model;
  if (listed.of != model) listed = {model, edits_of(*model)};
  return listed.edits;
}

void forget_choices(ModelState& state) {
  state.chosen.clear();
  state.marked.clear();
  state.menu.reset();
  state.answer.reset();
  state.pinned.clear();
  state.watched.clear();
}

HeadMix mix_of_head(const ModelDocument& model, const ModelHead& head) {
  return head_mix(model.interventions, head.at, head.head);
}

std::vector<ModelHead> heads_of_keys(const Ui& ui) {
  if (const auto tile = tile_with_focus(ui)) return {*tile};
  return chosen_heads(ui);
}

std::vector<ModelHead> chosen_heads(const Ui& ui) {
  std::vector<ModelHead> heads = ui.state.model.chosen;
  const ModelHead focused = focused_head(ui);
  if (std::ranges::find(heads, focused) == heads.end()) heads.insert(heads.begin(), focused);
  return heads;
}

void toggle_mutes(Ui& ui, const std::vector<ModelHead>& heads) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr || ui.kept) return;
  const auto muted =
      heads_with(*model, heads, [](const attention::HeadMix& mix) { return mix.mute; });
  const bool all = muted.size() == heads.size();
  const auto changed =
      heads_with(*model, heads, [&](const attention::HeadMix& mix) { return mix.mute == all; });
  for (const ModelHead& head : changed)
    set_mix(ui, head, {.mute = !all}, [all, changed] {
      return all ? tr("Unmute {}", {name_of_heads(changed)})
                 : tr("Mute {}", {name_of_heads(changed)});
    });
}

void toggle_solos(Ui& ui, const std::vector<ModelHead>& heads) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr || ui.kept) return;
  const auto solo =
      heads_with(*model, heads, [](const attention::HeadMix& mix) { return mix.solo; });
  const bool all = solo.size() == heads.size();
  const auto changed =
      heads_with(*model, heads, [&](const attention::HeadMix& mix) { return mix.solo == all; });
  for (const ModelHead& head : changed) {
    SetHeadMix command{.solo = !all};
    const bool muted = mix_of_head(*model, head).mute;
    if (!all && muted) command.mute = false;  // otherwise nothing would be left
    set_mix(ui, head, command, [all, changed] {
      return all ? tr("End solo of {}", {name_of_heads(changed)})
                 : tr("Solo {}", {name_of_heads(changed)});
    });
  }
}

void set_gains(Ui& ui, const std::vector<ModelHead>& heads, float gain) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr || ui.kept) return;
  const auto changed =
      heads_with(*model, heads, [&](const attention::HeadMix& mix) { return mix.scale != gain; });
  for (const ModelHead& head : changed)
    set_mix(ui, head, {.scale = gain},
            [gain, changed] { return name_of_heads(changed) + " × " + shortest(gain); });
}

bool is_marked(const Ui& ui, const ModelHead& head) {
  const auto& marked = ui.state.model.marked;
  return std::ranges::find(marked, head) != marked.end();
}

void toggle_marks(Ui& ui, const std::vector<ModelHead>& heads) {
  const bool all =
      std::ranges::all_of(heads, [&](const ModelHead& head) { return is_marked(ui, head); });
  auto& marked = ui.state.model.marked;
  for (const ModelHead& head : heads) std::erase(marked, head);
  if (!all) marked.insert(marked.end(), heads.begin(), heads.end());
}

bool is_overridden(const ModelDocument& model, const ModelHead& head) {
  const auto of_head = [&](const auto& item) {
    if constexpr (requires { item.cell; })
      return item.at == head.at && is_per_head(item.cell.stage) && item.cell.head == head.head;
    else
      return item.at == head.at && item.head == head.head;
  };
  return std::ranges::any_of(model.interventions.overrides, of_head) ||
         std::ranges::any_of(model.interventions.patches, of_head);
}

void zoom_tiles(Ui& ui, int steps) {
  constexpr float kStep = 1.25f;
  float& zoom = ui.state.model.zoom;
  zoom =
      std::clamp(zoom * std::pow(kStep, static_cast<float>(steps)), kSmallestTiles, kLargestTiles);
}

std::string name_of_head(const ModelHead& head) { return model_head_name(head.at, head.head); }

std::string name_of_heads(const std::vector<ModelHead>& heads) {
  std::string text = name_of_head(heads.front());
  if (heads.size() > 1) text += " " + tr("and {} more", {std::to_string(heads.size() - 1)});
  return text;
}

// No earlier step can have it: the state is another one after each.
std::string key_of_step(const Ui& ui) {
  return "after " + std::to_string(ui.workspace.history().state_id());
}

std::string tile_name(const ModelHead& head) {
  return "tile/" + std::to_string(head.at.layer) + "/" + std::to_string(head.head);
}

}  // namespace lab::view
