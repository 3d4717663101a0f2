#include "core/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace attention {
namespace {

// How many tokens lie between a query and a key.
Index distance(Index row, Index col) { return std::abs(row - col); }

bool adds_positions(const Config& config) {
  return config.positions == Positions::kSinusoidal || config.positions == Positions::kLearned;
}

bool changes_scores(const Problem& problem) {
  return problem.config.mask.any() || !problem.allowed.empty() || !problem.bias.empty() ||
         problem.config.positions == Positions::kAlibi;
}

bool is_overridden(const Problem& problem, Stage stage) {
  return std::ranges::any_of(problem.overrides,
                             [stage](const Override& o) { return o.stage == stage; });
}

Shape shape_at_input(const Problem& problem, Stage stage) {
  const bool added = adds_positions(problem.config);
  const Shape queries{problem.seq_len(), problem.config.d_model};
  const Shape keys{problem.kv_len(), problem.config.d_model};
  switch (stage) {
    case Stage::kPosition:
      return added ? queries : Shape{};
    case Stage::kPositionKv:
      return added && problem.cross() ? keys : Shape{};
    case Stage::kEmbeddingKv:
      return problem.cross() ? keys : Shape{};
    case Stage::kXKv:
      return keys;
    default:
      return queries;
  }
}

// ALiBi's slopes where n_heads is a power of two.
float geometric_slope(int place, int n_heads) {
  return static_cast<float>(std::exp2(-8.0 * (place + 1) / n_heads));
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
  const Config& config = problem.config;
  switch (stage) {
    case Stage::kPosition:
    case Stage::kX:
      return adds_positions(config);
    case Stage::kEmbeddingKv:
      return problem.cross();
    case Stage::kPositionKv:
    case Stage::kXKv:
      return problem.cross() && adds_positions(config);
    case Stage::kRotatedQ:
    case Stage::kRotatedK:
      return config.positions == Positions::kRotary;
    case Stage::kScaledScores:
      return score_factor(config) != 1.0f;
    case Stage::kMaskedScores:
      return changes_scores(problem);
    case Stage::kDroppedWeights:
      return config.dropout_rate > 0.0f;
    case Stage::kResidual:
      return config.residual;
    case Stage::kLayerNorm:
      return config.layer_norm;
    default:
      return true;
  }
}

bool is_active(const Problem& problem, Stage stage) {
  return is_switched_on(problem, stage) || is_overridden(problem, stage);
}

float head_gain(const Problem& problem, Index head) {
  if (problem.head_mix.empty()) return 1.0f;
  const HeadMix& mix = problem.head_mix[static_cast<size_t>(head)];
  const bool others_solo = std::ranges::any_of(problem.head_mix, &HeadMix::solo) && !mix.solo;
  return mix.mute || others_solo ? 0.0f : mix.scale;
}

float alibi_slope(int head, int n_heads) {
  const int power = power_of_two_below(n_heads);
  if (head < power) return geometric_slope(head, power);
  return geometric_slope(2 * (head - power), 2 * power);
}

Shape stage_shape(const Problem& problem, Stage stage) {
  const Config& config = problem.config;
  const Index seq_len = problem.seq_len(), kv_len = problem.kv_len();
  if (stage < Stage::kQ) return shape_at_input(problem, stage);
  if (has_key_columns(stage)) return {seq_len, kv_len};
  switch (stage) {
    case Stage::kQ:
    case Stage::kRotatedQ:
      return {seq_len, config.d_k};
    case Stage::kK:
    case Stage::kRotatedK:
      return {kv_len, config.d_k};
    case Stage::kV:
      return {kv_len, config.d_v};
    case Stage::kHeadOutput:
      return {seq_len, config.d_v};
    case Stage::kConcat:
      return {seq_len, Index{config.n_heads} * config.d_v};
    default:
      return {seq_len, config.d_out};
  }
}

}  // namespace attention
