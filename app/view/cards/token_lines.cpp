#include "app/view/cards/token_lines.h"

#include "app/view/maps/metrics_cache.h"

#include <algorithm>

namespace lab::view {
namespace {

using attention::Pair;

struct LineHead {
  int head;
  figure::Rgb colour;
};

// The heads whose lines are shown.
std::vector<LineHead> line_heads(const Ui& ui) {
  if (ui.state.tokens.lines != TokenLines::kHeads) return {{ui.state.head, ui.theme.selected}};
  std::vector<LineHead> heads;
  for (int slot = 0; slot < figure::kLineColours; ++slot) {
    const int head = ui.state.tokens.heads[static_cast<std::size_t>(slot)];
    if (head >= 0 && head < ui.problem().config.n_heads)
      heads.push_back({head, figure::head_line_colour(slot)});
  }
  return heads;
}

// One row is cheap to sort in every frame; for all of them the result is cached.
std::vector<Pair> pairs_of(Ui& ui, const attention::SharedMatrix& weights,
                           std::optional<TokenRef> pointed_at) {
  const TokensState& tokens = ui.state.tokens;
  if (pointed_at && pointed_at->key) {
    std::vector<Pair> pairs;
    const auto into = [&](const Pair& pair) { return pair.col == pointed_at->index; };
    std::ranges::copy_if(ui.metrics.leading(weights, tokens.share), std::back_inserter(pairs),
                         into);
    return pairs;
  }
  if (!pointed_at && tokens.lines == TokenLines::kAll)
    return ui.metrics.leading(weights, tokens.share);
  const auto query = pointed_at ? pointed_at->index : ui.state.selection.query;
  return attention::leading_pairs(*weights, query, tokens.share);
}

}  // namespace

std::vector<AttentionLine> token_lines(Ui& ui, std::optional<TokenRef> pointed_at) {
  std::vector<AttentionLine> lines;
  for (const auto& [head, colour] : line_heads(ui)) {
    const auto& weights = ui.trace().heads[static_cast<std::size_t>(head)].weights;
    for (const Pair& pair : pairs_of(ui, weights, pointed_at))
      lines.push_back({pair, head, colour});
  }
  std::ranges::stable_sort(lines, std::greater(),
                           [](const AttentionLine& line) { return line.pair.weight; });
  return lines;
}

bool attends_to_nothing(const attention::Matrix& weights, attention::Index query) {
  for (attention::Index key = 0; key < weights.cols(); ++key)
    if (weights(query, key) > 0) return false;
  return true;
}

}  // namespace lab::view
