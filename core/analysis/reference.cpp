#include "core/analysis/reference.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/layer/dropout.h"

namespace attention {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// `computed` with its overrides applied; `head` is 0 for stages without heads.
MatrixD overridden(MatrixD computed, const Problem& problem, Stage stage, Index head = 0) {
  for (const Override& o : problem.overrides) {
    if (o.stage == stage && o.head == head) computed(o.row, o.col) = o.value;
  }
  return computed;
}

// Column d of row i: the sine, or in odd columns the cosine, of i / 10000^(2 ⌊d / 2⌋ / d_model).
MatrixD sinusoids(Index rows, Index d_model) {
  MatrixD result(rows, d_model);
  for (Index i = 0; i < rows; ++i) {
    for (Index d = 0; d < d_model; ++d) {
      const Index even = d - d % 2;
      const double exponent = static_cast<double>(even) / static_cast<double>(d_model);
      const double angle = static_cast<double>(i) / std::pow(10000.0, exponent);
      result(i, d) = d == even ? std::sin(angle) : std::cos(angle);
    }
  }
  return result;
}

// The positional encoding that is added to an embedding with that many rows, [rows × d_model]; 0 ×
// 0 when there is none.
MatrixD positions(const Problem& problem, Index rows, const SharedMatrix& table) {
  switch (problem.config.positions) {
    case Positions::kSinusoidal:
      return sinusoids(rows, problem.config.d_model);
    case Positions::kLearned:
      return table->topRows(rows).cast<double>();
    default:
      return {};
  }
}

// embedding + position, [rows × d_model]; the position may be 0 × 0.
MatrixD embed(const Matrix& embedding, const MatrixD& position) {
  MatrixD result = embedding.cast<double>();
  for (Index i = 0; i < position.rows(); ++i) {
    for (Index d = 0; d < position.cols(); ++d) result(i, d) += position(i, d);
  }
  return result;
}

// input W + b: [n × m] · [m × d] + [1 × d] → [n × d]; the bias may be empty.
MatrixD project(const MatrixD& input, const Matrix& W, const Matrix& b) {
  MatrixD result(input.rows(), W.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      double sum = b.size() > 0 ? b(0, j) : 0.0;
      for (Index d = 0; d < W.rows(); ++d) sum += input(i, d) * W(d, j);
      result(i, j) = sum;
    }
  }
  return result;
}

// x / √(mean of x² + epsilon) · weight of each row, same shape; without head_norm the rows.
MatrixD normed(const MatrixD& rows, const Matrix& weight, const Config& config) {
  if (!config.head_norm) return rows;
  MatrixD result(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    double sum = 0;
    for (Index d = 0; d < rows.cols(); ++d) sum += rows(i, d) * rows(i, d);
    const double mean_square = sum / static_cast<double>(rows.cols());
    const double root = std::sqrt(mean_square + config.head_norm_epsilon);
    for (Index d = 0; d < rows.cols(); ++d)
      result(i, d) = rows(i, d) / root * (weight.size() > 0 ? weight(0, d) : 1.0);
  }
  return result;
}

// The angle per position of a rotary pair: base^(−2 pair / d_k), or a number of the table.
double rotary_frequency(const Problem& problem, Index pair) {
  if (!problem.rotary_frequencies.empty()) return (*problem.rotary_frequencies)(0, pair);
  const double exponent = -2.0 * static_cast<double>(pair) / problem.config.d_k;
  return std::pow(static_cast<double>(problem.config.rotary_base), exponent);
}

// Pair (a, b) of row i is rotated by i times its frequency, same shape [n × d_k].
MatrixD rotated(const MatrixD& vectors, const Problem& problem) {
  if (problem.config.positions != Positions::kRotary) return vectors;
  const bool adjacent = problem.config.rotary_pairs == RotaryPairs::kAdjacent;
  const Index pairs = problem.rotary_frequencies.empty() ? problem.config.d_k / 2
                                                         : problem.rotary_frequencies->cols();
  MatrixD result = vectors;
  for (Index i = 0; i < vectors.rows(); ++i) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const Index first = adjacent ? 2 * pair : pair;
      const Index second = adjacent ? first + 1 : first + pairs;
      const double angle = static_cast<double>(i) * rotary_frequency(problem, pair);
      const double a = vectors(i, first), b = vectors(i, second);
      result(i, first) = a * std::cos(angle) - b * std::sin(angle);
      result(i, second) = a * std::sin(angle) + b * std::cos(angle);
    }
  }
  return result;
}

// Q Kᵀ: [seq_len × d_k], [kv_len × d_k] → [seq_len × kv_len].
MatrixD score(const MatrixD& Q, const MatrixD& K) {
  MatrixD result(Q.rows(), K.rows());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      double sum = 0;
      for (Index d = 0; d < Q.cols(); ++d) sum += Q(i, d) * K(j, d);
      result(i, j) = sum;
    }
  }
  return result;
}

MatrixD scaled(const MatrixD& scores, const Config& config) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  MatrixD result = scores;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] /= root * config.temperature;
  return result;
}

// cap · tanh(scaled / cap), same shape; without a cap the scaled scores.
MatrixD capped(const MatrixD& scaled_scores, double cap) {
  MatrixD result = scaled_scores;
  for (Index i = 0; i < result.size() && cap > 0; ++i)
    result.data()[i] = cap * std::tanh(result.data()[i] / cap);
  return result;
}

// capped + bias − slope · |i − j|, and −∞ where not allowed, [seq_len × kv_len].
MatrixD masked(const MatrixD& capped_scores, const Problem& problem, Index head) {
  const Config& config = problem.config;
  const bool alibi = config.positions == Positions::kAlibi;
  const double slope = alibi ? alibi_slope(static_cast<int>(head), config.n_heads) : 0.0;
  MatrixD result = capped_scores;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      if (!problem.bias.empty()) result(i, j) += (*problem.bias)(i, j);
      if (!problem.head_bias.empty())
        result(i, j) += (*problem.head_bias[static_cast<size_t>(head)])(i, j);
      if (alibi) result(i, j) -= slope * static_cast<double>(std::abs(i - j));
      if (!problem.may_attend(i, j)) result(i, j) = -kInfinite;
    }
  }
  return result;
}

// A row of −∞ only gets weights 0. NaN and +∞ turn their row into NaN without a special rule,
// because ∞ − ∞ and ∞ / ∞ are NaN.
void softmax_row(const MatrixD& scores, Index i, MatrixD& weights) {
  double maximum = -kInfinite;
  for (Index j = 0; j < scores.cols(); ++j) maximum = std::fmax(maximum, scores(i, j));
  const bool nothing = (scores.row(i).array() == -kInfinite).all();
  double denominator = 0;
  for (Index j = 0; j < scores.cols(); ++j) {
    weights(i, j) = nothing ? 0.0 : std::exp(scores(i, j) - maximum);
    denominator += weights(i, j);
  }
  for (Index j = 0; j < scores.cols() && !nothing; ++j) weights(i, j) /= denominator;
}

MatrixD softmax(const MatrixD& scores) {
  MatrixD weights(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) softmax_row(scores, i, weights);
  return weights;
}

// A dropped weight is 0; the others are scaled so that the expected sum stays the same.
MatrixD dropped(const MatrixD& weights, const Config& config, Index head) {
  if (config.dropout_rate == 0.0f) return weights;
  const double kept = 1.0 - static_cast<double>(config.dropout_rate);
  MatrixD result(weights.rows(), weights.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = is_dropped(config, head, i, j) ? 0.0 : weights(i, j) / kept;
    }
  }
  return result;
}

// weights V: [seq_len × kv_len] · [kv_len × d_v] → [seq_len × d_v].
MatrixD mix(const MatrixD& weights, const MatrixD& V) {
  MatrixD result(weights.rows(), V.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index d = 0; d < result.cols(); ++d) {
      double sum = 0;
      for (Index j = 0; j < V.rows(); ++j) sum += weights(i, j) * V(j, d);
      result(i, d) = sum;
    }
  }
  return result;
}

// The head outputs side by side, each times its gain, [seq_len × n_heads·d_v]. A head whose gain is
// 0 gives 0, whatever its output.
MatrixD concat(const Problem& problem, const std::vector<ReferenceHead>& heads) {
  const Index d_v = problem.config.d_v;
  MatrixD result(problem.seq_len(), std::ssize(heads) * d_v);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index c = 0; c < result.cols(); ++c) {
      const double gain = head_gain(problem, c / d_v);
      const MatrixD& head_output = heads[static_cast<size_t>(c / d_v)].head_output;
      result(i, c) = gain == 0.0 ? 0.0 : gain * head_output(i, c % d_v);
    }
  }
  return result;
}

// X + output: [seq_len × d_model] both.
MatrixD add(const MatrixD& X, const MatrixD& output) {
  MatrixD result = output;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] += X.data()[i];
  return result;
}

double mean(const MatrixD& rows, Index i) {
  double sum = 0;
  for (Index d = 0; d < rows.cols(); ++d) sum += rows(i, d);
  return sum / static_cast<double>(rows.cols());
}

// The mean square distance from the mean.
double variance(const MatrixD& rows, Index i) {
  const double middle = mean(rows, i);
  double sum = 0;
  for (Index d = 0; d < rows.cols(); ++d) sum += (rows(i, d) - middle) * (rows(i, d) - middle);
  return sum / static_cast<double>(rows.cols());
}

// (x − mean) / √(variance + epsilon) · gamma + beta of each row, [seq_len × d_out].
MatrixD normalised(const MatrixD& rows, const Problem& problem) {
  const SharedMatrix &gamma = problem.parameters.gamma, &beta = problem.parameters.beta;
  MatrixD result(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    const double middle = mean(rows, i);
    const double deviation = std::sqrt(variance(rows, i) + problem.config.layer_norm_epsilon);
    for (Index d = 0; d < rows.cols(); ++d) {
      const double factor = gamma.empty() ? 1.0 : (*gamma)(0, d);
      const double offset = beta.empty() ? 0.0 : (*beta)(0, d);
      result(i, d) = (rows(i, d) - middle) / deviation * factor + offset;
    }
  }
  return result;
}

void compute_inputs(const Problem& problem, ReferenceTrace& trace) {
  trace.position = overridden(positions(problem, problem.seq_len(), problem.position_table),
                              problem, Stage::kPosition);
  trace.X = overridden(embed(*problem.embedding, trace.position), problem, Stage::kX);
  trace.X_kv = trace.X;
  if (!problem.cross()) return;
  trace.position_kv = overridden(positions(problem, problem.kv_len(), problem.kv_position_table()),
                                 problem, Stage::kPositionKv);
  trace.X_kv = overridden(embed(*problem.embedding_kv, trace.position_kv), problem, Stage::kXKv);
}

// The projections of one head. Heads that share keys and values compute the same ones; their
// overrides are stored under the first of those heads.
void compute_projections(const Problem& problem, const ReferenceTrace& trace, Index h,
                         ReferenceHead& head) {
  static const Matrix kNoBias;
  const Config& config = problem.config;
  const auto bias = [&](const SharedMatrix& b) -> const Matrix& {
    return config.biases ? *b : kNoBias;
  };
  const QueryParameters& query = problem.parameters.heads[static_cast<size_t>(h)];
  const KeyValueParameters& kv = problem.kv_parameters(h);
  const Index first = h - h % heads_per_kv_head(config);
  const auto stage = [&](MatrixD computed, Stage which) {
    return overridden(std::move(computed), problem, which, is_per_kv_head(which) ? first : h);
  };
  head.Q = stage(project(trace.X, *query.W_Q, bias(query.b_Q)), Stage::kQ);
  head.K = stage(project(trace.X_kv, *kv.W_K, bias(kv.b_K)), Stage::kK);
  head.V = stage(project(trace.X_kv, *kv.W_V, bias(kv.b_V)), Stage::kV);
  head.normed_Q = stage(normed(head.Q, *problem.parameters.norm_Q, config), Stage::kNormedQ);
  head.normed_K = stage(normed(head.K, *problem.parameters.norm_K, config), Stage::kNormedK);
  head.rotated_Q = stage(rotated(head.normed_Q, problem), Stage::kRotatedQ);
  head.rotated_K = stage(rotated(head.normed_K, problem), Stage::kRotatedK);
}

// From the scores to the output of one head.
void compute_attention(const Problem& problem, Index h, ReferenceHead& head) {
  const auto stage = [&](MatrixD computed, Stage which) {
    return overridden(std::move(computed), problem, which, h);
  };
  head.scores = stage(score(head.rotated_Q, head.rotated_K), Stage::kScores);
  head.scaled_scores = stage(scaled(head.scores, problem.config), Stage::kScaledScores);
  head.capped_scores =
      stage(capped(head.scaled_scores, problem.config.score_cap), Stage::kCappedScores);
  head.masked_scores = stage(masked(head.capped_scores, problem, h), Stage::kMaskedScores);
  head.weights = stage(softmax(head.masked_scores), Stage::kWeights);
  head.dropped_weights = stage(dropped(head.weights, problem.config, h), Stage::kDroppedWeights);
  head.head_output = stage(mix(head.dropped_weights, head.V), Stage::kHeadOutput);
}

void compute_output(const Problem& problem, ReferenceTrace& trace) {
  const Config& config = problem.config;
  const Parameters& parameters = problem.parameters;
  const auto stage = [&](MatrixD computed, Stage which) {
    return overridden(std::move(computed), problem, which);
  };
  trace.concat = stage(concat(problem, trace.heads), Stage::kConcat);
  trace.output =
      stage(project(trace.concat, *parameters.W_O, config.biases ? *parameters.b_O : Matrix()),
            Stage::kOutput);
  trace.residual =
      stage(config.residual ? add(trace.X, trace.output) : trace.output, Stage::kResidual);
  trace.layer_norm = stage(config.layer_norm ? normalised(trace.residual, problem) : trace.residual,
                           Stage::kLayerNorm);
}

}  // namespace

ReferenceTrace reference_trace(const Problem& problem) {
  validate(problem);
  ReferenceTrace trace;
  compute_inputs(problem, trace);
  for (Index h = 0; h < problem.config.n_heads; ++h) {
    ReferenceHead& head = trace.heads.emplace_back();
    compute_projections(problem, trace, h, head);
    compute_attention(problem, h, head);
  }
  compute_output(problem, trace);
  return trace;
}

}  // namespace attention
