#include "app/view/session/model_memory.h"

#include <algorithm>
#include <stdexcept>

#include "core/network/network.h"

namespace lab::view {
namespace {

using attention::network::Answer;
using attention::network::Network;

bool has_head(const Network& network, const ModelHead& head) {
  const auto* const attention = find_attention(network, head.at);
  return attention != nullptr && head.head < attention->n_heads;
}

std::vector<ModelHead> heads_in(const Network& network, std::vector<ModelHead> heads) {
  std::erase_if(heads, [&](const ModelHead& head) { return !has_head(network, head); });
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

}  // namespace

files::ModelView model_view_of(const ModelState& state) {
  const bool usual = state.tiles == TileView::kAttention;
  return {usual ? "" : std::string(tile_view_id(state.tiles)),
          state.sorted,
          state.chosen,
          state.marked,
          state.answer,
          state.pinned};
}

void show_model_as(ModelState& state, const files::ModelView& view, const Document& document) {
  if (!document.layer.model) return;
  const ModelDocument& model = *document.layer.model;
  const Network& network = model.network;
  state.tiles = tile_view_from_id(view.tiles).value_or(TileView::kAttention);
  state.sorted = view.sorted;
  state.chosen = heads_in(network, view.chosen);
  state.marked = heads_in(network, view.marked);
  const auto tokens = std::ssize(tokens_of(model).ids);
  if (view.answer && can_answer(network, *view.answer, tokens)) state.answer = view.answer;
  state.pinned = view.pinned;
  const attention::Index known = network.stack.embedding.tokens.rows();
  std::erase_if(state.pinned, [known](std::uint32_t id) { return id >= known; });
}

}  // namespace lab::view
