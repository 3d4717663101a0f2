#include "core/gradient/backward_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/layer/positions.h"
#include "core/layer/relative_scores.h"
#include "core/layer/stages.h"

namespace attention {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Queries or keys of one head, from the projection to what the scores are computed from.
class Vectors {
 public:
  Vectors(const Problem& problem, const Trace& trace, Index head, Index first)
      : problem_(problem), trace_(trace), head_(head), first_(first) {}

  Rows project(const MatrixView& X, const SharedMatrix& W, const SharedMatrix& b) const {
    Rows rows = X.cast<double>() * W->cast<double>();
    if (problem_.config.biases && !b.empty()) rows.rowwise() += b->row(0).cast<double>();
    return rows;
  }

  // Of Q or K. `number` is that of the query head, or of the key and value head.
  void normalise(Stage stage, Index number, const SharedMatrix& weight, Rows& rows) const {
    const Config& config = problem_.config;
    if (!config.head_norm) return;
    Eigen::VectorXd mean_squares = rows.rowwise().squaredNorm() / static_cast<double>(rows.cols());
    if (config.head_norm_joint) mean_squares = mean_squares_of_all(stage, rows.rows());
    for (Index i = 0; i < rows.rows(); ++i) {
      rows.row(i) /= std::sqrt(mean_squares(i) + static_cast<double>(config.head_norm_epsilon));
      if (!weight.empty())
        rows.row(i).array() *=
            weight->middleCols(config.head_norm_joint ? number * config.d_k : 0, config.d_k)
                .cast<double>()
                .array();
    }
  }

  void rotate(Rows& rows) const {
    if (problem_.config.positions != Positions::kRotary) return;
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index pair = 0; pair < rotary_pairs(problem_); ++pair) {
        const auto [first, second] = rotary_columns(problem_, pair);
        const double angle = rotary_angle(problem_, first_ + i, pair);
        const double scale = problem_.config.rotary_scale;
        const double a = rows(i, first) * scale, b = rows(i, second) * scale;
        rows(i, first) = a * std::cos(angle) - b * std::sin(angle);
        rows(i, second) = a * std::sin(angle) + b * std::cos(angle);
      }
    }
  }

  // Puts in the overridden numbers of `stage`.
  void override(Stage stage, Rows& values) const {
    for (const Override& one : problem_.overrides) {
      const Index row = one.row - first_;
      if (one.stage == stage && one.head == head_ && row >= 0 && row < values.rows())
        values(row, one.col) = static_cast<double>(one.value);
    }
  }

 private:
  // Over all heads. Those of the trace do: what float32 rounds off its numbers is of either sign,
  // and is lost in the mean of many.
  Eigen::VectorXd mean_squares_of_all(Stage stage, Index rows) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(rows);
    for (const HeadTrace& head : trace_.heads)
      add_mean_squares(stage_matrix(head, stage)->middleRows(first_, rows),
                       std::ssize(trace_.heads), all);
    return all;
  }

  const Problem& problem_;
  const Trace& trace_;
  Index head_, first_;
};

Rows queries(const Problem& problem, const Trace& trace, Index head, Index first, Index count) {
  const QueryParameters& parameters = problem.parameters.heads[static_cast<std::size_t>(head)];
  const Vectors of(problem, trace, head, first);
  Rows rows = of.project(trace.X->middleRows(first, count), parameters.W_Q, parameters.b_Q);
  of.override(Stage::kQ, rows);
  of.normalise(Stage::kQ, head, problem.parameters.norm_Q, rows);
  of.override(Stage::kNormedQ, rows);
  of.rotate(rows);
  of.override(Stage::kRotatedQ, rows);
  return rows;
}

Rows keys(const Problem& problem, const Trace& trace, Index head) {
  const KeyValueParameters& parameters = problem.kv_parameters(head);
  const Vectors of(problem, trace, head - head % heads_per_kv_head(problem.config), 0);
  Rows rows = of.project(*trace.X_kv, parameters.W_K, parameters.b_K);
  of.override(Stage::kK, rows);
  of.normalise(Stage::kK, kv_head_of(problem.config, static_cast<int>(head)),
               problem.parameters.norm_K, rows);
  of.override(Stage::kNormedK, rows);
  of.rotate(rows);
  of.override(Stage::kRotatedK, rows);
  return rows;
}

// Keys or queries of distances.
Rows of_distances(const Problem& problem, const PositionMap& map) {
  Rows rows = problem.relative->embedding->cast<double>() * map.W->cast<double>();
  if (!map.b.empty()) rows.rowwise() += map.b->row(0).cast<double>();
  return rows;
}

// What distances add to the scores of Q [n × d_k], which are the queries from `first` on, and K.
void add_position_scores(const Problem& problem, const Vectors& of, const Rows& Q, const Rows& K,
                         Index head, Index first, Rows& scores) {
  if (!problem.relative) return;
  const RelativePositions& relative = *problem.relative;
  const auto add = [&](Stage stage, const auto& score) {
    Rows part(scores.rows(), scores.cols());
    for (Index i = 0; i < part.rows(); ++i)
      for (Index j = 0; j < part.cols(); ++j)
        part(i, j) = score(i, j, relative.distances.of(first + i, j));
    of.override(stage, part);
    scores += part;
  };
  if (relative.content_to_position) {
    const Rows all = Q * of_distances(problem, position_key_map(problem, head)).transpose();
    add(Stage::kContentToPosition, [&](Index i, Index, Index row) { return all(i, row); });
  }
  if (relative.position_to_content) {
    const Rows all = K * of_distances(problem, position_query_map(problem, head)).transpose();
    add(Stage::kPositionToContent, [&](Index, Index j, Index row) { return all(j, row); });
  }
}

void scale_and_cap(const Config& config, const Vectors& of, Rows& scores) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  scores /= root * static_cast<double>(config.temperature);
  of.override(Stage::kScaledScores, scores);
  const auto cap = static_cast<double>(config.score_cap);
  if (cap > 0) scores = cap * (scores.array() / cap).tanh();
  of.override(Stage::kCappedScores, scores);
}

void mask(const Problem& problem, Index head, Index first, Rows& scores) {
  const bool alibi = problem.config.positions == Positions::kAlibi;
  const float slope = alibi ? alibi_slope(static_cast<int>(head), problem.config.n_heads) : 0.0f;
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      double& score = scores(i, j);
      if (!problem.bias.empty()) score += (*problem.bias)(first + i, j);
      if (!problem.head_bias.empty())
        score += (*problem.head_bias[static_cast<std::size_t>(head)])(first + i, j);
      score -= static_cast<double>(slope) * static_cast<double>(std::abs(first + i - j));
      if (!problem.may_attend(first + i, j)) score = -std::numeric_limits<double>::infinity();
    }
  }
}

Softmax rounded_softmax(const Rows& scores, double sink) {
  Softmax result{Matrix::Zero(scores.rows(), scores.cols()), Eigen::VectorXd::Zero(scores.rows())};
  for (Index i = 0; i < scores.rows(); ++i) {
    const double largest = std::max(scores.row(i).maxCoeff(), sink);
    if (largest == -std::numeric_limits<double>::infinity()) continue;
    const Eigen::RowVectorXd powers = (scores.row(i).array() - largest).exp();
    const double of_sink = std::exp(sink - largest), sum = powers.sum() + of_sink;
    result.weights.row(i) = (powers / sum).cast<float>();
    result.sink_shares(i) = of_sink / sum;
  }
  return result;
}

}  // namespace

bool has_large_scores(const Trace& trace, Index head, Index first_row, Index rows) {
  constexpr float kLarge = 64;
  const auto scores =
      trace.heads[static_cast<std::size_t>(head)].capped_scores->middleRows(first_row, rows);
  return scores.size() > 0 && scores.cwiseAbs().maxCoeff() > kLarge;
}

Softmax precise_weights(const Problem& problem, const Trace& trace, Index head, Index first_row,
                        Index rows) {
  const Vectors of(problem, trace, head, first_row);
  const Rows Q = queries(problem, trace, head, first_row, rows), K = keys(problem, trace, head);
  Rows scores = Q * K.transpose();
  of.override(Stage::kScores, scores);
  add_position_scores(problem, of, Q, K, head, first_row, scores);
  of.override(Stage::kSummedScores, scores);
  scale_and_cap(problem.config, of, scores);
  mask(problem, head, first_row, scores);
  of.override(Stage::kMaskedScores, scores);
  return rounded_softmax(scores, sink_of(problem, head));
}

}  // namespace attention
