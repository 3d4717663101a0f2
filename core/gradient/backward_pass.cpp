#include "core/gradient/backward_pass.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/gradient/adjoints.h"
#include "core/layer/relative_scores.h"
#include "core/layer/stages.h"

namespace attention {
namespace {

bool is_of_keys(Stage stage) { return stage_info(stage).rows == Axis::kKeys; }

bool has_override(const Problem& problem, Stage stage, Index head) {
  return std::ranges::any_of(problem.overrides, [&](const Override& one) {
    return one.stage == stage && one.head == head;
  });
}

}  // namespace

BackwardPass::BackwardPass(const Problem& problem, const Trace& trace, const Seed& seed,
                           SpareMatrices& spare)
    : problem_(problem), trace_(trace), spare_(spare) {
  gradient_.parameters.heads.resize(problem.parameters.heads.size());
  gradient_.parameters.kv_heads.resize(problem.parameters.kv_heads.size());
  gradient_.head_bias.resize(problem.head_bias.size());
  if (problem.relative) gradient_.relative.maps.resize(problem.relative->maps.size());
  gradient_.gains.assign(static_cast<std::size_t>(problem.config.n_heads), 0.0f);
  gradient_.stages.heads.resize(static_cast<std::size_t>(problem.config.n_heads));
  place_seed(seed);
}

void BackwardPass::place_seed(const Seed& seed) {
  if (seed.stage == Stage::kEmbedding) {
    gradient_.embedding = seed.weights;
  } else if (seed.stage == Stage::kEmbeddingKv) {
    gradient_.embedding_kv = seed.weights;
  } else {
    d(seed.stage, seed.head) = seed.weights;
  }
  if (is_of_keys(seed.stage)) return;
  const auto weighs = [&](Index row) { return (seed.weights.row(row).array() != 0).any(); };
  Index first = 0, end = seed.weights.rows();
  while (first < end && !weighs(first)) ++first;
  while (end > first && !weighs(end - 1)) --end;
  rows_ = {first, end - first};
}

LayerGradient BackwardPass::run() && {
  const Config& config = problem_.config;
  pass_layer_output();
  pass_concat();
  for (Index head = 0; head < config.n_heads; ++head) pass_attention(head);
  pass_sides();
  for (Index head = 0; head < config.n_heads; ++head) pass_queries(head);
  for (Index kv_head = 0; kv_head < kv_head_count(config); ++kv_head) pass_keys(kv_head);
  if (problem_.cross()) {
    const bool has_kv_table = !problem_.position_table_kv.empty();
    pass_input(Stage::kXKv, Stage::kPositionKv, gradient_.embedding_kv,
               has_kv_table ? gradient_.position_table_kv : gradient_.position_table,
               problem_.kv_position_table());
  }
  pass_input(Stage::kX, Stage::kPosition, gradient_.embedding, gradient_.position_table,
             problem_.position_table);
  return std::move(gradient_);
}

// Layer norm, the residual and W_O.
void BackwardPass::pass_layer_output() {
  const Config& config = problem_.config;
  const Parameters& parameters = problem_.parameters;
  ParameterGradients& all = gradient_.parameters;
  if (reaches(Stage::kLayerNorm)) {
    const Matrix& from = flow(Stage::kLayerNorm);
    Matrix& to = ready(Stage::kResidual);
    if (config.layer_norm)
      normalise_rows_adjoint(
          value(Stage::kResidual, 0).middleRows(rows_.first, rows_.count), *parameters.gamma,
          config.layer_norm_epsilon, from.middleRows(rows_.first, rows_.count),
          to.middleRows(rows_.first, rows_.count), requested(all.gamma, parameters.gamma),
          requested(all.beta, parameters.beta));
    else
      to += from;
  }
  if (reaches(Stage::kResidual)) {
    const Matrix& from = flow(Stage::kResidual);
    ready(Stage::kOutput) += from;
    if (config.residual) ready(Stage::kX) += from;
  }
  pass_projection(
      {Stage::kConcat, Stage::kOutput, 0, rows_, parameters.W_O, parameters.b_O, all.W_O, all.b_O});
}

void BackwardPass::pass_concat() {
  if (!reaches(Stage::kConcat)) return;
  const Matrix& from = flow(Stage::kConcat);
  const Index d_v = problem_.config.d_v;
  for (Index head = 0; head < problem_.config.n_heads; ++head) {
    const float gain = head_gain(problem_, head);
    if (gain == 0) continue;
    gradient_.gains[static_cast<std::size_t>(head)] =
        mix_head_adjoint(value(Stage::kHeadOutput, head).middleRows(rows_.first, rows_.count), gain,
                         from.block(rows_.first, head * d_v, rows_.count, d_v),
                         ready(Stage::kHeadOutput, head).middleRows(rows_.first, rows_.count));
  }
}

// From the output of a head to what its scores are computed from.
void BackwardPass::pass_attention(Index head) {
  const Rows& rows = rows_;
  if (reaches(Stage::kHeadOutput, head)) {
    const Matrix& from = flow(Stage::kHeadOutput, head);
    mix_values_adjoint(value(Stage::kDroppedWeights, head).middleRows(rows.first, rows.count),
                       value(Stage::kNormedV, head), from.middleRows(rows.first, rows.count),
                       ready(Stage::kDroppedWeights, head).middleRows(rows.first, rows.count),
                       ready(Stage::kNormedV, head));
  }
  pass_weights(head);
  pass_masks(head);
  pass_scores(head);
}

// Dropout and softmax.
void BackwardPass::pass_weights(Index head) {
  const Rows& rows = rows_;
  if (reaches(Stage::kDroppedWeights, head)) {
    const Matrix& from = flow(Stage::kDroppedWeights, head);
    Matrix& to = ready(Stage::kWeights, head);
    if (problem_.config.dropout_rate > 0)
      drop_weights_adjoint(problem_.config, head, rows.first,
                           from.middleRows(rows.first, rows.count),
                           to.middleRows(rows.first, rows.count));
    else
      to += from;
  }
  if (!reaches(Stage::kWeights, head)) return;
  const Matrix& from = flow(Stage::kWeights, head);
  const auto [weights, shares] = computed_weights(head);
  const float d_sink =
      softmax_rows_adjoint(weights, shares, from.middleRows(rows.first, rows.count),
                           ready(Stage::kMaskedScores, head).middleRows(rows.first, rows.count));
  const auto number = static_cast<std::size_t>(head);
  if (problem_.config.sink)
    requested(gradient_.parameters.heads[number].sink, problem_.parameters.heads[number].sink)
        .array() += d_sink;
}

void BackwardPass::pass_masks(Index head) {
  if (!reaches(Stage::kMaskedScores, head)) return;
  const Matrix& from = flow(Stage::kMaskedScores, head);
  const auto add_to = [&](Matrix& to) {
    mask_scores_adjoint(problem_, rows_.first, from.middleRows(rows_.first, rows_.count),
                        to.middleRows(rows_.first, rows_.count));
  };
  add_to(ready(Stage::kCappedScores, head));
  if (!problem_.bias.empty()) add_to(zeroed(gradient_.bias, problem_.bias));
  const auto number = static_cast<std::size_t>(head);
  if (!problem_.head_bias.empty())
    add_to(zeroed(gradient_.head_bias[number], problem_.head_bias[number]));
}

// The cap, the scale, and the product of queries and keys.
void BackwardPass::pass_scores(Index head) {
  const Rows& rows = rows_;
  if (reaches(Stage::kCappedScores, head)) {
    const Matrix& from = flow(Stage::kCappedScores, head);
    cap_scores_adjoint(value(Stage::kScaledScores, head).middleRows(rows.first, rows.count),
                       problem_.config.score_cap, from.middleRows(rows.first, rows.count),
                       ready(Stage::kScaledScores, head).middleRows(rows.first, rows.count));
  }
  if (reaches(Stage::kScaledScores, head))
    ready(Stage::kSummedScores, head) +=
        score_factor(problem_.config) * flow(Stage::kScaledScores, head);
  pass_sum(head);
  if (!reaches(Stage::kScores, head)) return;
  const Matrix& from = flow(Stage::kScores, head);
  attention_scores_adjoint(value(Stage::kRotatedQ, head).middleRows(rows.first, rows.count),
                           value(Stage::kRotatedK, head), from.middleRows(rows.first, rows.count),
                           ready(Stage::kRotatedQ, head).middleRows(rows.first, rows.count),
                           ready(Stage::kRotatedK, head));
}

// The scores by content and by distance.
void BackwardPass::pass_sum(Index head) {
  constexpr Stage kByDistance[] = {Stage::kContentToPosition, Stage::kPositionToContent};
  if (reaches(Stage::kSummedScores, head)) {
    const Matrix& from = flow(Stage::kSummedScores, head);
    ready(Stage::kScores, head) += from;
    for (const Stage stage : kByDistance)
      if (is_switched_on(problem_, stage)) ready(stage, head) += from;
  }
  for (const Stage stage : kByDistance)
    if (reaches(stage, head)) pass_position_scores(head, stage);
}

// From scores by distance to Q or K, and to what the distances' keys or queries are made of.
void BackwardPass::pass_position_scores(Index head, Stage stage) {
  const bool of_queries = stage == Stage::kContentToPosition;
  const Rows& rows = rows_;
  const auto from = flow(stage, head).middleRows(rows.first, rows.count);
  const DistanceRows& distances = problem_.relative->distances;
  const Matrix positions =
      of_queries ? position_keys(problem_, head) : position_queries(problem_, head);
  Matrix d_positions = Matrix::Zero(positions.rows(), positions.cols());
  if (of_queries)
    scores_of_positions_adjoint(value(Stage::kRotatedQ, head).middleRows(rows.first, rows.count),
                                positions, distances, rows.first, from,
                                ready(Stage::kRotatedQ, head).middleRows(rows.first, rows.count),
                                d_positions);
  else
    scores_by_positions_adjoint(value(Stage::kRotatedK, head), positions, distances, rows.first,
                                from, ready(Stage::kRotatedK, head), d_positions);
  const PositionMap map =
      of_queries ? position_key_map(problem_, head) : position_query_map(problem_, head);
  const auto number = static_cast<std::size_t>(head);
  const auto pass_to = [&](Matrix& d_W, Matrix& d_b) {
    const SharedMatrix& embedding = problem_.relative->embedding;
    project_adjoint(*embedding, *map.W, d_positions,
                    zeroed(gradient_.relative.embedding, embedding), zeroed(d_W, map.W),
                    requested(d_b, map.b));
  };
  if (!gradient_.relative.maps.empty()) {
    PositionMapGradients& own = gradient_.relative.maps[number];
    return of_queries ? pass_to(own.W_K, own.b_K) : pass_to(own.W_Q, own.b_Q);
  }
  const auto kv = static_cast<std::size_t>(kv_head_of(problem_.config, static_cast<int>(head)));
  if (of_queries)
    pass_to(gradient_.parameters.kv_heads[kv].W_K, gradient_.parameters.kv_heads[kv].b_K);
  else
    pass_to(gradient_.parameters.heads[number].W_Q, gradient_.parameters.heads[number].b_Q);
}

void BackwardPass::pass_queries(Index head) {
  const auto number = static_cast<std::size_t>(head);
  const QueryParameters& parameters = problem_.parameters.heads[number];
  QueryGradients& gradients = gradient_.parameters.heads[number];
  pass_projection({Stage::kX, Stage::kQ, head, rows_, parameters.W_Q, parameters.b_Q, gradients.W_Q,
                   gradients.b_Q});
}

void BackwardPass::pass_keys(Index kv_head) {
  const auto number = static_cast<std::size_t>(kv_head);
  const KeyValueParameters& parameters = problem_.parameters.kv_heads[number];
  KeyValueGradients& gradients = gradient_.parameters.kv_heads[number];
  const Index head = kv_head * heads_per_kv_head(problem_.config);
  const Rows keys{0, problem_.kv_len()};
  pass_projection({Stage::kXKv, Stage::kK, head, keys, parameters.W_K, parameters.b_K,
                   gradients.W_K, gradients.b_K});
  pass_value_norm(head);
  pass_projection({Stage::kXKv, Stage::kV, head, keys, parameters.W_V, parameters.b_V,
                   gradients.W_V, gradients.b_V});
}

BackwardPass::Side BackwardPass::query_side(Index head) {
  return {Stage::kQ,
          Stage::kNormedQ,
          Stage::kRotatedQ,
          head,
          rows_,
          problem_.parameters.norm_Q,
          gradient_.parameters.norm_Q,
          head};
}

BackwardPass::Side BackwardPass::key_side(Index kv_head) {
  return {Stage::kK,
          Stage::kNormedK,
          Stage::kRotatedK,
          kv_head * heads_per_kv_head(problem_.config),
          {0, problem_.kv_len()},
          problem_.parameters.norm_K,
          gradient_.parameters.norm_K,
          kv_head};
}

// The rotation and the norm of the queries and keys of all heads.
void BackwardPass::pass_sides() {
  const Config& config = problem_.config;
  std::vector<Side> queries, keys;
  for (Index head = 0; head < config.n_heads; ++head) queries.push_back(query_side(head));
  for (Index head = 0; head < kv_head_count(config); ++head) keys.push_back(key_side(head));
  for (const std::vector<Side>& sides : {std::cref(queries), std::cref(keys)}) {
    for (const Side& side : sides) pass_rotation(side);
    if (config.head_norm && config.head_norm_joint) {
      pass_norms_together(sides);
    } else {
      for (const Side& side : sides) pass_norm(side);
    }
  }
}

void BackwardPass::pass_rotation(const Side& side) {
  const Config& config = problem_.config;
  const auto [first, count] = side.rows;
  if (!reaches(side.rotated, side.head)) return;
  const Matrix& from = flow(side.rotated, side.head);
  Matrix& to = ready(side.normed, side.head);
  if (config.positions == Positions::kRotary)
    rotate_adjoint(rotary(), config.rotary_pairs, first, from.middleRows(first, count),
                   to.middleRows(first, count));
  else
    to += from;
}

// The mean square of a row reaches the numbers of all heads.
void BackwardPass::pass_norms_together(const std::vector<Side>& sides) {
  const auto reached = [&](const Side& side) { return reaches(side.normed, side.head); };
  if (std::ranges::none_of(sides, reached)) return;
  const auto [first, count] = sides.front().rows;
  const Index heads = std::ssize(sides);
  const auto input = [&, first = first, count = count](const Side& side) -> MatrixView {
    return value(side.projected, side.head).middleRows(first, count);
  };
  const Index d_k = problem_.config.d_k;
  const auto factors = [&](const Side& side) -> MatrixView {
    if (side.norm.empty()) return *side.norm;
    return side.norm->middleCols(side.number * d_k, d_k);
  };
  JointRows all{Eigen::VectorXd::Zero(count), Eigen::VectorXd::Zero(count)};
  for (const Side& side : sides) add_mean_squares(input(side), heads, all.roots);
  all.roots =
      (all.roots.array() + static_cast<double>(problem_.config.head_norm_epsilon)).sqrt().matrix();
  for (const Side& side : sides)
    if (reached(side))
      add_along(input(side), factors(side), flow(side.normed, side.head).middleRows(first, count),
                heads, all);
  for (const Side& side : sides) {
    static const Matrix kNothing;
    Matrix& d_norm = requested(side.d_norm, side.norm);
    const bool given = d_norm.size() > 0;
    normalise_jointly_adjoint(
        input(side), factors(side), all,
        reached(side) ? MatrixView(flow(side.normed, side.head).middleRows(first, count))
                      : MatrixView(kNothing),
        ready(side.projected, side.head).middleRows(first, count),
        given ? MatrixSlot(d_norm.middleCols(side.number * d_k, d_k)) : MatrixSlot(d_norm));
  }
}

void BackwardPass::pass_norm(const Side& side) {
  const Config& config = problem_.config;
  const auto [first, count] = side.rows;
  if (!reaches(side.normed, side.head)) return;
  const Matrix& from = flow(side.normed, side.head);
  Matrix& to = ready(side.projected, side.head);
  if (config.head_norm)
    normalise_by_rms_adjoint(value(side.projected, side.head).middleRows(first, count), *side.norm,
                             config.head_norm_epsilon, from.middleRows(first, count),
                             to.middleRows(first, count), requested(side.d_norm, side.norm));
  else
    to += from;
}

void BackwardPass::pass_value_norm(Index head) {
  if (!reaches(Stage::kNormedV, head)) return;
  const Config& config = problem_.config;
  const Matrix& from = flow(Stage::kNormedV, head);
  Matrix& to = ready(Stage::kV, head);
  Matrix no_weight;
  if (config.value_norm)
    normalise_by_rms_adjoint(value(Stage::kV, head), no_weight, config.head_norm_epsilon, from, to,
                             no_weight);
  else
    to += from;
}

void BackwardPass::pass_projection(const Projection& one) {
  if (!reaches(one.result, one.head)) return;
  const auto [first, count] = one.rows;
  const Matrix& from = flow(one.result, one.head);
  static const SharedMatrix kNone;
  const SharedMatrix& bias = problem_.config.biases ? one.b : kNone;
  project_adjoint(value(one.input, 0).middleRows(first, count), *one.W,
                  from.middleRows(first, count), ready(one.input).middleRows(first, count),
                  zeroed(one.d_W, one.W), requested(one.d_b, bias));
}

// The embedding, and the positions that are added to it.
void BackwardPass::pass_input(Stage X, Stage position, Matrix& embedding, Matrix& table,
                              const SharedMatrix& table_of) {
  if (reaches(X)) {
    const Matrix& from = flow(X);
    zeroed(embedding, stage_shape(problem_, X)) += from;
    if (shape_of(position).rows > 0) ready(position) += from;
  }
  if (!reaches(position) || problem_.config.positions != Positions::kLearned) return;
  const Matrix& from = flow(position);
  zeroed(table, table_of).topRows(from.rows()) += from;
}

// The head at which the gradient of a stage stands.
Index BackwardPass::holder(Stage stage, Index head) const {
  if (!is_per_head(stage)) return 0;
  return is_per_kv_head(stage) ? head - head % heads_per_kv_head(problem_.config) : head;
}

Shape BackwardPass::shape_of(Stage stage) const { return stage_shape(problem_, stage); }

const Matrix& BackwardPass::value(Stage stage, Index head) const {
  return *stage_matrix(trace_, stage, head);
}

// `matrix` with that shape, all 0, unless it has it already.
Matrix& BackwardPass::zeroed(Matrix& matrix, const Shape& shape) {
  if (matrix.size() > 0) return matrix;
  const Index size = shape.rows * shape.cols;
  const auto fits = std::ranges::find(spare_, size, [](const Matrix& one) { return one.size(); });
  if (fits != spare_.end()) {
    matrix.swap(*fits);
    fits->swap(spare_.back());
    spare_.pop_back();
  }
  matrix.setZero(shape.rows, shape.cols);
  return matrix;
}

Matrix& BackwardPass::zeroed(Matrix& matrix, const SharedMatrix& like) {
  return zeroed(matrix, Shape{like->rows(), like->cols()});
}

// Gradients of a parameter that may be absent: then they are not requested.
Matrix& BackwardPass::requested(Matrix& matrix, const SharedMatrix& parameter) {
  return parameter.empty() ? matrix : zeroed(matrix, parameter);
}

Matrix& BackwardPass::d(Stage stage, Index head) {
  const bool is_X = stage == Stage::kXKv && !problem_.cross();
  const auto& found =
      stage_matrix(std::as_const(gradient_.stages), is_X ? Stage::kX : stage, holder(stage, head));
  return const_cast<Matrix&>(found);
}

// The gradient of a stage, all 0 if nothing has reached it yet.
Matrix& BackwardPass::ready(Stage stage, Index head) {
  const bool is_X = stage == Stage::kXKv && !problem_.cross();
  return zeroed(d(stage, head), shape_of(is_X ? Stage::kX : stage));
}

// What goes on to the stages before: nothing from overridden numbers. Valid until the next call.
const Matrix& BackwardPass::flow(Stage stage, Index head) {
  const Matrix& whole = d(stage, head);
  const Index at = holder(stage, head);
  if (!has_override(problem_, stage, at)) return whole;
  cut_ = whole;
  for (const Override& one : problem_.overrides)
    if (one.stage == stage && one.head == at) cut_(one.row, one.col) = 0;
  return cut_;
}

// The softmax itself, of the queries that the seed weighs, without overridden weights.
Softmax BackwardPass::computed_weights(Index head) const {
  const auto [first, count] = rows_;
  if (has_large_scores(trace_, head, first, count))
    return precise_weights(problem_, trace_, head, first, count);
  const auto scores = value(Stage::kMaskedScores, head).middleRows(first, count);
  const float sink = sink_of(problem_, head);
  Softmax result{value(Stage::kWeights, head).middleRows(first, count), sink_shares(scores, sink)};
  if (has_override(problem_, Stage::kWeights, head)) softmax_rows(scores, result.weights, sink);
  return result;
}

const RotaryTable& BackwardPass::rotary() {
  if (rotary_.cosines.size() == 0)
    rotary_ = rotary_table(problem_, std::max(problem_.seq_len(), problem_.kv_len()));
  return rotary_;
}

}  // namespace attention
