#include "core/layer/stages.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/config.h"
#include "core/matrix.h"
#include "core/numerics/kernels.h"

namespace attention {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void require(bool fits, const char* stage, const char* a_name, const MatrixView& a,
             const char* b_name, const MatrixView& b) {
  if (fits) return;
  throw std::invalid_argument(std::string(stage) + ": " + a_name + " is " +
                              shape_text(a.rows(), a.cols()) + " and " + b_name + " is " +
                              shape_text(b.rows(), b.cols()) + ", which do not fit");
}

bool same_shape(const MatrixView& a, const MatrixView& b) {
  return a.rows() == b.rows() && a.cols() == b.cols();
}

void require_same(const char* stage, const char* name, const MatrixView& input,
                  const MatrixView& result) {
  require(same_shape(input, result), stage, name, input, "the result", result);
}

void require_product(const char* stage, const char* name, const MatrixView& a, const MatrixView& b,
                     const MatrixView& result) {
  require(a.rows() == result.rows() && b.cols() == result.cols(), stage, name, a, "the result",
          result);
}

bool is_row_of(const MatrixView& row, const MatrixView& matrix) {
  return row.size() == 0 || (row.rows() == 1 && row.cols() == matrix.cols());
}

using SlotRow = MatrixSlot::RowXpr;

void forbid(const MaskRules& rules, const SharedMatrix& allowed, Index query, SlotRow row) {
  const Index keys = row.size();
  if (rules.causal && query + 1 < keys) row.tail(keys - query - 1).setConstant(-kInfinity);
  if (rules.key_count > 0 && rules.key_count < keys) {
    row.tail(keys - rules.key_count).setConstant(-kInfinity);
  }
  if (rules.window > 0) {
    const Index before = std::min(keys, std::max<Index>(0, query - rules.window + 1));
    const Index after = std::max<Index>(0, keys - query - rules.window);
    row.head(before).setConstant(-kInfinity);
    row.tail(std::min(keys, after)).setConstant(-kInfinity);
  }
  if (allowed.empty()) return;
  const auto is_allowed = allowed->row(query).array();
  row = (is_allowed == 0.0f).select(-kInfinity, row.array()).matrix();
}

void add_distance_penalty(float slope, Index query, SlotRow row) {
  for (Index j = 0; j < row.size(); ++j) {
    row(j) -= slope * static_cast<float>(std::abs(query - j));
  }
}

double root_of_mean_square(const Eigen::RowVectorXd& values, float epsilon) {
  const double mean_square = values.squaredNorm() / static_cast<double>(values.size());
  return std::sqrt(mean_square + static_cast<double>(epsilon));
}

}  // namespace

void add_positions(const MatrixView& embedding, const MatrixView& position, MatrixSlot result) {
  require(same_shape(embedding, position), "X", "embedding", embedding, "position", position);
  require_same("X", "embedding", embedding, result);
  result = embedding + position;
}

void project(const MatrixView& input, const MatrixView& W, const MatrixView& b, MatrixSlot result) {
  require(input.cols() == W.rows(), "projection", "the input", input, "W", W);
  require(is_row_of(b, W), "projection", "W", W, "b", b);
  require_product("projection", "the input", input, W, result);
  const float* const bias = b.size() > 0 ? b.data() : nullptr;
  kernels().multiply(block_of(input), block_of(W), bias, slot_of(result));
}

void normalise_by_rms(const MatrixView& input, const MatrixView& weight, float epsilon,
                      MatrixSlot result) {
  require_same("norm of heads", "the input", input, result);
  require(is_row_of(weight, input), "norm of heads", "the input", input, "the weight", weight);
  Eigen::RowVectorXd values;  // sums of these are vectorised, those of converted floats are not
  for (Index i = 0; i < input.rows(); ++i) {
    values = input.row(i).cast<double>();
    const double root = root_of_mean_square(values, epsilon);
    result.row(i) = (values * (1 / root)).cast<float>();
    if (weight.size() > 0) result.row(i).array() *= weight.row(0).array();
  }
}

void add_mean_squares(const MatrixView& input, Index heads,
                      Eigen::Ref<Eigen::VectorXd> mean_squares) {
  Eigen::RowVectorXd values;
  const auto numbers = static_cast<double>(heads * input.cols());
  for (Index i = 0; i < input.rows(); ++i) {
    values = input.row(i).cast<double>();
    mean_squares(i) += values.squaredNorm() / numbers;
  }
}

void normalise_by_mean_squares(const MatrixView& input,
                               const Eigen::Ref<const Eigen::VectorXd>& mean_squares,
                               const MatrixView& weight, float epsilon, MatrixSlot result) {
  require_same("norm of all heads", "the input", input, result);
  require(is_row_of(weight, input), "norm of all heads", "the input", input, "the weight", weight);
  for (Index i = 0; i < input.rows(); ++i) {
    const double root = std::sqrt(mean_squares(i) + static_cast<double>(epsilon));
    result.row(i) = (input.row(i).cast<double>() * (1 / root)).cast<float>();
    if (weight.size() > 0) result.row(i).array() *= weight.row(0).array();
  }
}

void rotate(const MatrixView& input, const RotaryTable& table, RotaryPairs pairs,
            Index first_position, MatrixSlot result) {
  require_same("rotary positions", "the input", input, result);
  const Index n_pairs = table.cosines.cols(), first = table.first;
  const Index rest = input.cols() - first - 2 * n_pairs;
  const bool adjacent = pairs == RotaryPairs::kAdjacent;
  const Index step = adjacent ? 2 : 1, across = adjacent ? 1 : n_pairs;
  for (Index i = 0; i < input.rows(); ++i) {
    for (Index pair = 0; pair < n_pairs; ++pair) {
      const float cosine = table.cosines(first_position + i, pair);
      const float sine = table.sines(first_position + i, pair);
      const Index col = first + pair * step;
      const float a = input(i, col), b = input(i, col + across);
      result(i, col) = a * cosine - b * sine;
      result(i, col + across) = a * sine + b * cosine;
    }
  }
  if (first > 0) result.leftCols(first) = input.leftCols(first);
  if (rest > 0) result.rightCols(rest) = input.rightCols(rest);
}

void attention_scores(const MatrixView& Q, const MatrixView& K, MatrixSlot result) {
  require(Q.cols() == K.cols(), "scores", "Q", Q, "K", K);
  require(Q.rows() == result.rows() && K.rows() == result.cols(), "scores", "Q", Q, "the result",
          result);
  kernels().multiply_transposed(block_of(Q), block_of(K), slot_of(result));
}

void scale_scores(const MatrixView& scores, float factor, MatrixSlot result) {
  require_same("scaled_scores", "scores", scores, result);
  kernels().scale(block_of(scores), factor, slot_of(result));
}

void cap_scores(const MatrixView& scaled, float cap, MatrixSlot result) {
  require_same("capped_scores", "scaled_scores", scaled, result);
  if (cap > 0) {
    result.array() = cap * (scaled.array() / cap).tanh();
  } else {
    result = scaled;
  }
}

void mask_scores(const MatrixView& capped, const Problem& problem, Index head, Index first_row,
                 MatrixSlot result) {
  require_same("masked_scores", "capped_scores", capped, result);
  require(problem.bias.empty() || problem.bias->cols() == capped.cols(), "masked_scores",
          "capped_scores", capped, "bias", *problem.bias);
  require(problem.allowed.empty() || problem.allowed->cols() == capped.cols(), "masked_scores",
          "capped_scores", capped, "the mask", *problem.allowed);
  const Config& config = problem.config;
  const bool alibi = config.positions == Positions::kAlibi;
  const float slope = alibi ? alibi_slope(static_cast<int>(head), config.n_heads) : 0.0f;
  result = capped;
  if (!problem.bias.empty()) result += problem.bias->middleRows(first_row, capped.rows());
  if (!problem.head_bias.empty())
    result += problem.head_bias[static_cast<size_t>(head)]->middleRows(first_row, capped.rows());
  for (Index i = 0; i < result.rows(); ++i) {
    if (alibi) add_distance_penalty(slope, first_row + i, result.row(i));
    forbid(config.mask, problem.allowed, first_row + i, result.row(i));
  }
}

void softmax_rows(const MatrixView& scores, MatrixSlot result, float sink) {
  require_same("weights", "masked_scores", scores, result);
  if (scores.size() > 0) kernels().softmax(block_of(scores), sink, slot_of(result));
}

Eigen::VectorXd sink_shares(const MatrixView& scores, float sink) {
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(scores.rows());
  if (sink == kNoSink) return shares;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Eigen::RowVectorXd row = scores.row(i).cast<double>();
    const double largest = std::max<double>(row.maxCoeff(), sink);
    const double share = std::exp(sink - largest);
    shares(i) = share / ((row.array() - largest).exp().sum() + share);
  }
  return shares;
}

void drop_weights(const MatrixView& weights, const Config& config, Index head, Index first_row,
                  MatrixSlot result) {
  require_same("dropped_weights", "weights", weights, result);
  result = weights * dropout_factor(config);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      if (is_dropped(config, head, first_row + i, j)) result(i, j) = 0.0f;
    }
  }
}

void mix_values(const MatrixView& weights, const MatrixView& V, MatrixSlot result) {
  require(weights.cols() == V.rows(), "head_output", "weights", weights, "V", V);
  require_product("head_output", "weights", weights, V, result);
  kernels().multiply(block_of(weights), block_of(V), nullptr, slot_of(result));
}

void mix_head(const MatrixView& head_output, float gain, MatrixSlot result) {
  require_same("concat", "head_output", head_output, result);
  if (gain == 0.0f) {
    result.setZero();
  } else {
    result = head_output * gain;
  }
}

void add_residual(const MatrixView& X, const MatrixView& output, MatrixSlot result) {
  require(same_shape(X, output), "residual", "X", X, "output", output);
  require_same("residual", "X", X, result);
  result = X + output;
}

void normalise_rows(const MatrixView& input, const MatrixView& gamma, const MatrixView& beta,
                    float epsilon, MatrixSlot result) {
  require_same("layer_norm", "the input", input, result);
  require(is_row_of(gamma, input), "layer_norm", "the input", input, "gamma", gamma);
  require(is_row_of(beta, input), "layer_norm", "the input", input, "beta", beta);
  Eigen::RowVectorXd values;
  for (Index i = 0; i < input.rows(); ++i) {
    values = input.row(i).cast<double>();
    values.array() -= values.mean();
    const double deviation = root_of_mean_square(values, epsilon);
    result.row(i) = (values * (1 / deviation)).cast<float>();
    if (gamma.size() > 0) result.row(i).array() *= gamma.row(0).array();
    if (beta.size() > 0) result.row(i) += beta.row(0);
  }
}

}  // namespace attention
