#pragma once

#include <optional>
#include <vector>

#include "app/view/state/ui.h"
#include "core/analysis/metrics.h"

namespace lab::view {

/// A query or a key in the Tokens card.
struct TokenRef {
  bool key = false;
  attention::Index index = 0;
};

/// A line from a query to a key.
struct AttentionLine {
  attention::Pair pair;
  int head = 0;
  figure::Rgb colour;
};

/// The lines to draw, the strongest first: those of the token that is pointed at, otherwise those
/// of the card's mode. Each query's lines add up to the chosen fraction of its weight.
std::vector<AttentionLine> token_lines(Ui& ui, std::optional<TokenRef> pointed_at);

/// True when no key gets any weight from `query`: all are masked, or the row is not a number.
bool attends_to_nothing(const attention::Matrix& weights, attention::Index query);

}  // namespace lab::view
