#include "app/explain/reason_text.h"

#include <algorithm>
#include <cstdlib>

#include "app/translation/words.h"

namespace lab::explain {
namespace {

using attention::Explanation;
using attention::Index;

void add(std::string& reasons, const std::string& reason) {
  if (!reasons.empty()) reasons += "; ";
  reasons += reason;
}

void add_rules(std::string& reasons, const attention::MaskRules& rules, Index row, Index col) {
  const std::string query = std::to_string(row), key = std::to_string(col);
  if (rules.causal && col > row)
    add(reasons, tr("causal mask: key {} comes after query {}", {key, query}));
  if (rules.key_count > 0 && col >= rules.key_count)
    add(reasons,
        tr("padding: key {} is none of the first {}", {key, std::to_string(rules.key_count)}));
  const Index distance = std::abs(row - col);
  if (rules.window > 0 && distance >= rules.window)
    add(reasons, tr("window: key {} is {} away from query {}, it must be less than {}",
                    {key, std::to_string(distance), query, std::to_string(rules.window)}));
}

}  // namespace

std::string masked_words(const attention::Problem& problem, const Explanation& cell) {
  std::string reasons;
  if (cell.masked_because.empty()) return reasons;
  add_rules(reasons, problem.config.mask, cell.row, cell.col);
  if (!problem.allowed.empty() && (*problem.allowed)(cell.row, cell.col) == 0.0f)
    add(reasons, tr("the mask forbids query {} to attend to key {}",
                    {std::to_string(cell.row), std::to_string(cell.col)}));
  return reasons;
}

std::string dropped_words(const Explanation& cell) {
  return tr("dropout takes the weight of query {} and key {} in head {}",
            {std::to_string(cell.row), std::to_string(cell.col), std::to_string(cell.head + 1)});
}

std::string muted_words(const attention::Problem& problem, Index head) {
  const attention::HeadMix& mix = problem.head_mix[static_cast<std::size_t>(head)];
  const std::string number = std::to_string(head + 1);
  if (mix.mute) return tr("head {} is muted", {number});
  const bool others = !mix.solo && std::ranges::any_of(problem.head_mix, &attention::HeadMix::solo);
  return others ? tr("head {} is silent while others are solo", {number})
                : tr("head {} is scaled by 0", {number});
}

}  // namespace lab::explain
