#include "core/explain/explain_reason.h"

#include <algorithm>
#include <cstdlib>

#include "core/layer/dropout.h"

namespace attention {
namespace {

std::string key_text(Index col) { return "key " + std::to_string(col); }
std::string query_text(Index row) { return "query " + std::to_string(row); }

void add(std::string& reasons, const std::string& reason) {
  if (!reasons.empty()) reasons += "; ";
  reasons += reason;
}

void add_rules(std::string& reasons, const MaskRules& rules, Index row, Index col) {
  if (rules.causal && col > row) {
    add(reasons, "causal mask: " + key_text(col) + " comes after " + query_text(row));
  }
  if (rules.key_count > 0 && col >= rules.key_count) {
    add(reasons,
        "padding: " + key_text(col) + " is none of the first " + std::to_string(rules.key_count));
  }
  const Index distance = std::abs(row - col);
  if (rules.window > 0 && distance >= rules.window) {
    add(reasons, "window: " + key_text(col) + " is " + std::to_string(distance) + " away from " +
                     query_text(row) + ", it must be less than " + std::to_string(rules.window));
  }
}

}  // namespace

bool is_overridden(const Problem& problem, Stage stage, Index head, Index row, Index col) {
  if (problem.overrides.empty()) return false;
  const int sharing = heads_per_kv_head(problem.config);
  if (!is_per_head(stage)) head = 0;
  if (is_per_kv_head(stage)) head -= head % sharing;
  return std::ranges::any_of(problem.overrides, [&](const Override& o) {
    return o.stage == stage && o.head == head && o.row == row && o.col == col;
  });
}

std::string reason_masked(const Problem& problem, Index row, Index col) {
  std::string reasons;
  if (problem.may_attend(row, col)) return reasons;
  add_rules(reasons, problem.config.mask, row, col);
  if (!problem.allowed.empty() && (*problem.allowed)(row, col) == 0.0f) {
    add(reasons, "the mask forbids " + query_text(row) + " to attend to " + key_text(col));
  }
  return reasons;
}

std::string reason_dropped(const Problem& problem, Index head, Index row, Index col) {
  if (!is_dropped(problem.config, head, row, col)) return "";
  return "dropout takes the weight of " + query_text(row) + " and " + key_text(col) + " in head " +
         std::to_string(head + 1);
}

std::string reason_muted(const Problem& problem, Index head) {
  if (head_gain(problem, head) != 0.0f) return "";
  const HeadMix& mix = problem.head_mix[static_cast<size_t>(head)];
  const std::string name = "head " + std::to_string(head + 1);
  if (mix.mute) return name + " is muted";
  const bool others_solo = !mix.solo && std::ranges::any_of(problem.head_mix, &HeadMix::solo);
  return name + (others_solo ? " is silent while others are solo" : " is scaled by 0");
}

}  // namespace attention
