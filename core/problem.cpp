#include "core/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attention {
namespace {

// The distance between a query and a key, in tokens.
Index distance(Index row, Index col) { return std::abs(row - col); }

bool has_override(const Problem& problem, Stage stage) {
  return std::ranges::any_of(problem.overrides,
                             [stage](const Override& o) { return o.stage == stage; });
}

// ALiBi's slope when n_heads is a power of two.
float geometric_slope(int index, int n_heads) {
  return static_cast<float>(std::exp2(-8.0 * (index + 1) / n_heads));
}

int power_of_two_below(int n) {
  int power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

}  // namespace

bool Problem::may_attend(Index row, Index col) const {
  const MaskRules& rules = config.mask;
  if (rules.causal && col > row) return false;
  if (rules.key_count > 0 && col >= rules.key_count) return false;
  if (rules.window > 0 && distance(row, col) >= rules.window) return false;
  return allowed.empty() || (*allowed)(row, col) != 0.0f;
}

bool is_switched_on(const Problem& problem, Stage stage) {
  const auto switched_on = stage_info(stage).switched_on;
  return switched_on == nullptr || switched_on(problem);
}

bool is_active(const Problem& problem, Stage stage) {
  return is_switched_on(problem, stage) || has_override(problem, stage);
}

bool is_overridden(const Problem& problem, Stage stage, Index head, Index row, Index col) {
  if (problem.overrides.empty()) return false;
  const int sharing = heads_per_kv_head(problem.config);
  if (!is_per_head(stage)) head = 0;
  if (is_per_kv_head(stage)) head -= head % sharing;
  return std::ranges::any_of(problem.overrides, [&](const Override& o) {
    return o.stage == stage && o.head == head && o.row == row && o.col == col;
  });
}

float head_gain(const Problem& problem, Index head) {
  if (problem.head_mix.empty()) return 1.0f;
  const HeadMix& mix = problem.head_mix[static_cast<size_t>(head)];
  const bool others_solo = std::ranges::any_of(problem.head_mix, &HeadMix::solo) && !mix.solo;
  return mix.mute || others_solo ? 0.0f : mix.scale;
}

float sink_of(const Problem& problem, Index head) {
  if (!problem.config.sink) return kNoSink;
  const SharedMatrix& sink = problem.parameters.heads[static_cast<size_t>(head)].sink;
  return sink.empty() ? 0.0f : (*sink)(0, 0);
}

float alibi_slope(int head, int n_heads) {
  const int power = power_of_two_below(n_heads);
  if (head < power) return geometric_slope(head, power);
  return geometric_slope(2 * (head - power), 2 * power);
}

std::optional<Stage> stage_before(const Problem& problem, Stage stage) {
  if (stage == Stage::kXKv && !problem.cross()) return Stage::kX;
  return stage_info(stage).repeats;
}

Stage last_step(const Problem& problem, Stage stage) {
  while (!is_active(problem, stage)) {
    const std::optional<Stage> before = stage_before(problem, stage);
    if (!before) break;
    stage = *before;
  }
  return stage;
}

Shape stage_shape(const Problem& problem, Stage stage) {
  const StageInfo& info = stage_info(stage);
  const bool absent = info.switched_on != nullptr && !info.repeats && !info.switched_on(problem);
  if (absent) return {};
  return {axis_length(problem, info.rows), axis_length(problem, info.cols)};
}

}  // namespace attention
