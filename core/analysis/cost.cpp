#include "core/analysis/cost.h"

namespace attention {
namespace {

using Count = std::int64_t;

constexpr Count kBytesOfNumber = 4;

Polynomial operator*(Count factor, const Polynomial& p) {
  return {factor * p.constant, factor * p.linear, factor * p.quadratic};
}

// A number of rows: n, or a constant.
struct Length {
  Polynomial rows;

  // That many rows of `cols` numbers each.
  Polynomial times(Count cols) const { return cols * rows; }
  // The number of pairs of these rows and `keys`.
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

// The length of the sums behind each number of head_output: the keys.
Polynomial mixing(const Sizes& s) { return s.heads() * s.config().d_v * s.queries.times(s.keys); }

// Rows of distances: those of a text of n tokens are 2 n − 1 where each has its own.
Length distances(const Sizes& s) {
  const Index rows = s.problem.relative->embedding->rows();
  const bool each = rows == s.problem.seq_len() + s.problem.kv_len() - 1 && !s.problem.cross();
  return each ? Length{{-1, 2, 0}} : Length{{rows, 0, 0}};
}

// The keys or queries of all distances, and what queries or keys have in common with each; a pair
// takes one of them.
Polynomial comparing(const Sizes& s, const Length& rows) {
  const Length of_positions = distances(s);
  const Count d_k = s.config().d_k;
  Polynomial all = s.heads() * of_positions.times(d_k * s.config().d_model);
  all += s.heads() * d_k * rows.times(of_positions);
  return all;
}

// The columns of concat that are multiplied by a gain.
Polynomial gains(const Sizes& s) {
  Count scaled = 0;
  for (Index h = 0; h < s.config().n_heads; ++h) {
    const float gain = head_gain(s.problem, h);
    if (gain != 0.0f && gain != 1.0f) ++scaled;
  }
  return s.queries.times(scaled * s.config().d_v);
}

Polynomial norms_of_heads(const Sizes& s, Stage stage) {
  if (stage == Stage::kNormedV)
    return matrices(s, stage) * s.keys.times(2 * Count{s.config().d_v} + 3);
  const bool queries = stage == Stage::kNormedQ;
  const Parameters& parameters = s.problem.parameters;
  const bool weighted = !(queries ? parameters.norm_Q : parameters.norm_K).empty();
  const Length& rows = queries ? s.queries : s.keys;
  return matrices(s, stage) * rows.times((weighted ? 3 : 2) * Count{s.config().d_k} + 3);
}

Polynomial normalising(const Sizes& s) {
  const Parameters& parameters = s.problem.parameters;
  const bool affine = !parameters.gamma.empty() || !parameters.beta.empty();
  return s.queries.times((affine ? 5 : 4) * Count{s.config().d_out} + 4);
}

Polynomial multiply_adds(const Sizes& s, Stage stage) {
  if (!is_switched_on(s.problem, stage)) return {};
  switch (stage) {
    case Stage::kNormedQ:
    case Stage::kNormedK:
    case Stage::kNormedV:
      return norms_of_heads(s, stage);
    case Stage::kContentToPosition:
      return comparing(s, s.queries);
    case Stage::kPositionToContent:
      return comparing(s, s.keys);
    case Stage::kHeadOutput:
      return mixing(s);
    case Stage::kConcat:
      return gains(s);
    case Stage::kLayerNorm:
      return normalising(s);
    default: {
      const auto work = stage_info(stage).work;
      return (work == nullptr ? 0 : work(s.problem)) * numbers(s, stage);
    }
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
