#include "app/view/session/model_memory.h"

#include <algorithm>
#include <stdexcept>

#include "app/document/heads.h"
#include "core/network/network.h"

namespace lab::view {
namespace {

using attention::network::Answer;
using attention::network::Network;

std::vector<HeadRef> heads_in(const Document& document, std::vector<HeadRef> heads) {
  std::erase_if(heads, [&](const HeadRef& head) { return !has_head(document, head); });
  return heads;
}

bool can_answer(const Network& network, const Answer& answer, attention::Index tokens) {
  try {
    validate(answer, network, tokens);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<files::LayerCell> saved_cells(const std::vector<LayerPin>& pins) {
  std::vector<files::LayerCell> cells;
  for (const LayerPin& pin : pins)
    if (const auto cell = saved_cell(pin.cell)) cells.push_back({pin.at, *cell});
  return cells;
}

// Pins of cells that a layer does not have are detached once it is looked at.
std::vector<LayerPin> pins_in(const Document& document,
                              const std::vector<files::LayerCell>& cells) {
  std::vector<LayerPin> pins;
  for (const auto& [at, cell] : cells)
    if (has_head(document, {at, cell.head})) pins.push_back({at, pinned_cell(cell)});
  return pins;
}

}  // namespace

std::optional<StageCell> saved_cell(const attention::CellRef& pin) {
  const auto stage = attention::stage_from_name(pin.matrix);
  if (!stage) return std::nullopt;
  return StageCell{*stage, static_cast<int>(pin.head), static_cast<int>(pin.row),
                   static_cast<int>(pin.col)};
}

attention::CellRef pinned_cell(const StageCell& saved) {
  return {stage_name(saved.stage), saved.head, saved.row, saved.col};
}

files::ModelView model_view_of(const ViewState& view) {
  const ModelState& state = view.model;
  std::vector<LayerPin> detached = view.words.pins;
  std::erase_if(detached, [&](const LayerPin& pin) { return pin.at == state.pins_at; });
  const bool is_default = state.tiles == TileView::kAttention;
  return {is_default ? "" : std::string(tile_view_id(state.tiles)),
          state.sorted,
          view.heads.chosen,
          view.heads.marked,
          state.answer,
          state.pinned,
          saved_cells(state.other_pins),
          saved_cells(detached),
          state.read ? std::optional(state.pins_at) : std::nullopt};
}

void show_model_as(ViewState& shown, const files::ModelView& view, const Document& document) {
  shown.heads.chosen = heads_in(document, view.chosen);
  shown.heads.marked = heads_in(document, view.marked);
  ModelState& state = shown.model;
  if (!document.layer.model) return;
  const ModelDocument& model = *document.layer.model;
  const Network& network = model.network;
  state.tiles = tile_view_from_id(view.tiles).value_or(TileView::kAttention);
  state.sorted = view.sorted;
  const auto tokens = std::ssize(tokens_of(model).ids);
  if (view.answer && can_answer(network, *view.answer, tokens)) state.answer = view.answer;
  state.pinned = view.pinned;
  state.other_pins = pins_in(document, view.pins);
  if (view.layer && find_attention(network, *view.layer) != nullptr) {
    state.pins_at = *view.layer;
    state.go_to = view.layer;
  }
  const attention::Index known = network.stack.embedding.tokens.rows();
  std::erase_if(state.pinned, [known](std::uint32_t id) { return id >= known; });
}

}  // namespace lab::view
