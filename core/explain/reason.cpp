#include "core/explain/reason.h"

#include <algorithm>
#include <cstdlib>

#include "core/config.h"

namespace attention {

std::vector<Reason> reasons_masked(const Problem& problem, Index row, Index col) {
  std::vector<Reason> reasons;
  if (problem.may_attend(row, col)) return reasons;
  const MaskRules& rules = problem.config.mask;
  const auto add = [&](ReasonType type, Index distance = 0, Index limit = 0) {
    reasons.push_back(
        {.type = type, .query = row, .key = col, .distance = distance, .limit = limit});
  };
  if (rules.causal && col > row) add(ReasonType::kCausal);
  if (rules.key_count > 0 && col >= rules.key_count) {
    add(ReasonType::kPadding, 0, rules.key_count);
  }
  const Index distance = std::abs(row - col);
  if (rules.window > 0 && distance >= rules.window) {
    add(ReasonType::kWindow, distance, rules.window);
  }
  if (!problem.allowed.empty() && (*problem.allowed)(row, col) == 0.0f) add(ReasonType::kForbidden);
  return reasons;
}

std::vector<Reason> reasons_dropped(const Problem& problem, Index head, Index row, Index col) {
  if (!is_dropped(problem.config, head, row, col)) return {};
  return {{.type = ReasonType::kDropped, .query = row, .key = col, .head = head}};
}

std::vector<Reason> reasons_muted(const Problem& problem, Index head) {
  if (head_gain(problem, head) != 0.0f) return {};
  const HeadMix& mix = problem.head_mix[static_cast<size_t>(head)];
  const bool others_solo = !mix.solo && std::ranges::any_of(problem.head_mix, &HeadMix::solo);
  const ReasonType type = mix.mute      ? ReasonType::kMuted
                          : others_solo ? ReasonType::kOthersSolo
                                        : ReasonType::kScaledByZero;
  return {{.type = type, .head = head}};
}

}  // namespace attention
