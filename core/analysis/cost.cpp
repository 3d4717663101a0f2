#include "core/analysis/cost.h"

namespace attention {
namespace {

using Count = std::int64_t;

constexpr Count kBytesOfNumber = 4;

Polynomial operator*(Count factor, const Polynomial& p) {
  return {factor * p.constant, factor * p.linear, factor * p.quadratic};
}

// A number of rows: n of them, or a given number.
struct Length {
  Polynomial rows;

  // That many rows of `cols` numbers each.
  Polynomial times(Count cols) const { return cols * rows; }
  // As many rows as keys.
  Polynomial times(const Length& keys) const {
    const Polynomial& k = keys.rows;
    return {rows.constant * k.constant, rows.constant * k.linear + rows.linear * k.constant,
            rows.linear * k.linear};
  }
};

// The sizes that every stage's cost is made of.
struct Sizes {
  const Problem& problem;
  Length queries, keys;

  const Config& config() const { return problem.config; }
  Count heads() const { return config().n_heads; }
  Count kv_heads() const { return kv_head_count(config()); }
};

Sizes sizes_of(const Problem& problem) {
  const Length queries{{0, 1, 0}};
  const Length keys = problem.cross() ? Length{{problem.kv_len(), 0, 0}} : queries;
  return {problem, queries, keys};
}

Count matrices(const Sizes& s, Stage stage) {
  if (is_per_kv_head(stage)) return s.kv_heads();
  return is_per_head(stage) ? s.heads() : 1;
}

// How many numbers the stage holds, over all heads.
Polynomial numbers(const Sizes& s, Stage stage) {
  const Length& rows = has_key_rows(stage) ? s.keys : s.queries;
  if (has_key_columns(stage)) return matrices(s, stage) * rows.times(s.keys);
  return matrices(s, stage) * rows.times(stage_shape(s.problem, stage).cols);
}

bool adds_positions(const Config& config) {
  return config.positions == Positions::kSinusoidal || config.positions == Positions::kLearned;
}

// The length of the sums behind each number of head_output: the keys.
Polynomial mixing(const Sizes& s) { return s.heads() * s.config().d_v * s.queries.times(s.keys); }

// The columns of concat that are multiplied by a gain.
Polynomial gains(const Sizes& s) {
  Count scaled = 0;
  for (Index h = 0; h < s.config().n_heads; ++h) {
    const float gain = head_gain(s.problem, h);
    if (gain != 0.0f && gain != 1.0f) ++scaled;
  }
  return s.queries.times(scaled * s.config().d_v);
}

Polynomial normalising(const Sizes& s) {
  const Parameters& parameters = s.problem.parameters;
  if (!s.config().layer_norm) return {};
  const bool affine = !parameters.gamma.empty() || !parameters.beta.empty();
  return s.queries.times((affine ? 5 : 4) * Count{s.config().d_out} + 4);
}

// What each number costs in the stages that work number by number.
Count each(const Sizes& s, Stage stage) {
  const Config& config = s.config();
  switch (stage) {
    case Stage::kPosition:
    case Stage::kPositionKv:
      return config.positions == Positions::kSinusoidal ? 1 : 0;
    case Stage::kX:
    case Stage::kXKv:
      return adds_positions(config) ? 1 : 0;
    case Stage::kRotatedQ:
    case Stage::kRotatedK:
      return config.positions == Positions::kRotary ? 2 : 0;
    case Stage::kScaledScores:
      return score_factor(config) != 1.0f ? 1 : 0;
    case Stage::kMaskedScores:
      return (s.problem.bias.empty() ? 0 : 1) + (config.positions == Positions::kAlibi ? 1 : 0);
    case Stage::kWeights:
      return 4;
    case Stage::kDroppedWeights:
      return config.dropout_rate > 0.0f ? 1 : 0;
    case Stage::kResidual:
      return config.residual ? 1 : 0;
    default:  // the embeddings
      return 0;
  }
}

Polynomial multiply_adds(const Sizes& s, Stage stage) {
  const Config& config = s.config();
  switch (stage) {
    case Stage::kQ:
    case Stage::kK:
    case Stage::kV:
      return config.d_model * numbers(s, stage);
    case Stage::kScores:
      return config.d_k * numbers(s, stage);
    case Stage::kHeadOutput:
      return mixing(s);
    case Stage::kConcat:
      return gains(s);
    case Stage::kOutput:
      return s.heads() * config.d_v * numbers(s, stage);
    case Stage::kLayerNorm:
      return normalising(s);
    default:
      return each(s, stage) * numbers(s, stage);
  }
}

}  // namespace

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  constant += other.constant;
  linear += other.linear;
  quadratic += other.quadratic;
  return *this;
}

Cost cost_of(const Problem& problem) {
  const Sizes sizes = sizes_of(problem);
  Cost cost;
  for (const Stage stage : kAllStages) {
    if (!is_active(problem, stage)) continue;
    const Polynomial bytes = kBytesOfNumber * numbers(sizes, stage);
    cost.stages.push_back({stage, multiply_adds(sizes, stage), bytes});
    cost.multiply_adds += cost.stages.back().multiply_adds;
    cost.bytes += bytes;
  }
  return cost;
}

}  // namespace attention
