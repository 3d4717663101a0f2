#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include "core/config.h"
#include "core/layer/trace.h"

// The stages of reference.h for any scalar: double, or one that carries derivatives. See
// reference_trace.h.

namespace attention::reference {

using std::exp;
using std::sqrt;
using std::tanh;

/// Dense matrix of that scalar in the layout of Matrix.
template <typename S>
using MatrixOf = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A problem, and its matrices in that scalar: `read` is given handles of `problem`, absent ones
/// included.
template <typename S>
struct Numbers {
  const Problem& problem;
  std::function<MatrixOf<S>(const SharedMatrix&)> read;
};

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// `computed` with its overrides applied; `head` is 0 for stages without heads.
template <typename S>
MatrixOf<S> overridden(MatrixOf<S> computed, const Problem& problem, Stage stage, Index head = 0) {
  for (const Override& o : problem.overrides) {
    if (o.stage == stage && o.head == head) computed(o.row, o.col) = o.value;
  }
  return computed;
}

// Column d of row i: the sine, or in odd columns the cosine, of i / 10000^(2 ⌊d / 2⌋ / d_model).
template <typename S>
MatrixOf<S> sinusoids(Index rows, Index d_model) {
  MatrixOf<S> result(rows, d_model);
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
template <typename S>
MatrixOf<S> positions(const Numbers<S>& numbers, Index rows, const SharedMatrix& table) {
  const Problem& problem = numbers.problem;
  switch (problem.config.positions) {
    case Positions::kSinusoidal:
      return sinusoids<S>(rows, problem.config.d_model);
    case Positions::kLearned:
      return numbers.read(table).topRows(rows);
    default:
      return {};
  }
}

// embedding + position, [rows × d_model]; the position may be 0 × 0.
template <typename S>
MatrixOf<S> embed(const MatrixOf<S>& embedding, const MatrixOf<S>& position) {
  MatrixOf<S> result = embedding;
  for (Index i = 0; i < position.rows(); ++i) {
    for (Index d = 0; d < position.cols(); ++d) result(i, d) += position(i, d);
  }
  return result;
}

// input W + b: [n × m] · [m × d] + [1 × d] → [n × d]; the bias may be empty.
template <typename S>
MatrixOf<S> project(const MatrixOf<S>& input, const MatrixOf<S>& W, const MatrixOf<S>& b) {
  MatrixOf<S> result(input.rows(), W.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      S sum = b.size() > 0 ? b(0, j) : S(0);
      for (Index d = 0; d < W.rows(); ++d) sum += input(i, d) * W(d, j);
      result(i, j) = sum;
    }
  }
  return result;
}

// The mean square of row i of Q or K, as `stage` says: of that head, or of all heads together.
template <typename S>
S mean_square(const LayerStages<MatrixOf<S>>& trace, const Config& config, Stage stage, Index head,
              Index i) {
  const bool joint = config.head_norm_joint;
  const Index first = joint ? 0 : head, end = joint ? std::ssize(trace.heads) : head + 1;
  S sum = 0;
  for (Index h = first; h < end; ++h) {
    const MatrixOf<S>& rows = stage_matrix(trace, stage, h);
    for (Index d = 0; d < rows.cols(); ++d) sum += rows(i, d) * rows(i, d);
  }
  return sum / static_cast<double>((end - first) * config.d_k);
}

// x / √(mean square + epsilon) · weight of each row of Q or K of a head, same shape; without
// head_norm the rows. `first` is the head's first column in `weight`, which may be empty.
template <typename S>
MatrixOf<S> normed(const LayerStages<MatrixOf<S>>& trace, const Config& config, Stage stage,
                   Index head, const MatrixOf<S>& weight, Index first) {
  const MatrixOf<S>& rows = stage_matrix(trace, stage, head);
  if (!config.head_norm) return rows;
  MatrixOf<S> result(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    const S root = sqrt(mean_square(trace, config, stage, head, i) + config.head_norm_epsilon);
    for (Index d = 0; d < rows.cols(); ++d)
      result(i, d) = rows(i, d) / root * (weight.size() > 0 ? weight(0, first + d) : S(1));
  }
  return result;
}

// x / √(mean square + epsilon) of each row of V, same shape; without value_norm the rows.
template <typename S>
MatrixOf<S> normed_values(const MatrixOf<S>& V, const Config& config) {
  if (!config.value_norm) return V;
  MatrixOf<S> result(V.rows(), V.cols());
  for (Index i = 0; i < V.rows(); ++i) {
    S sum = 0;
    for (Index d = 0; d < V.cols(); ++d) sum += V(i, d) * V(i, d);
    const S root = sqrt(sum / static_cast<double>(V.cols()) + config.head_norm_epsilon);
    for (Index d = 0; d < V.cols(); ++d) result(i, d) = V(i, d) / root;
  }
  return result;
}

// The angle per position of a rotary pair: base^(−2 pair / d_k), or a number of the table.
inline double rotary_frequency(const Problem& problem, Index pair) {
  if (!problem.rotary_frequencies.empty()) return (*problem.rotary_frequencies)(0, pair);
  const double exponent = -2.0 * static_cast<double>(pair) / problem.config.d_k;
  return std::pow(static_cast<double>(problem.config.rotary_base), exponent);
}

// Pair (a, b) of row i is rotated by i times its frequency, same shape [n × d_k].
template <typename S>
MatrixOf<S> rotated(const MatrixOf<S>& vectors, const Problem& problem) {
  if (problem.config.positions != Positions::kRotary) return vectors;
  const bool adjacent = problem.config.rotary_pairs == RotaryPairs::kAdjacent;
  const Index pairs = problem.rotary_frequencies.empty() ? problem.config.d_k / 2
                                                         : problem.rotary_frequencies->cols();
  MatrixOf<S> result = vectors;
  for (Index i = 0; i < vectors.rows(); ++i) {
    for (Index pair = 0; pair < pairs; ++pair) {
      const Index first = problem.rotary_first + (adjacent ? 2 * pair : pair);
      const Index second = adjacent ? first + 1 : first + pairs;
      const double angle = static_cast<double>(i) * rotary_frequency(problem, pair);
      const double scale = problem.config.rotary_scale;
      const S a = vectors(i, first) * scale, b = vectors(i, second) * scale;
      result(i, first) = a * std::cos(angle) - b * std::sin(angle);
      result(i, second) = a * std::sin(angle) + b * std::cos(angle);
    }
  }
  return result;
}

// Q Kᵀ: [seq_len × d_k], [kv_len × d_k] → [seq_len × kv_len].
template <typename S>
MatrixOf<S> score(const MatrixOf<S>& Q, const MatrixOf<S>& K) {
  MatrixOf<S> result(Q.rows(), K.rows());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      S sum = 0;
      for (Index d = 0; d < Q.cols(); ++d) sum += Q(i, d) * K(j, d);
      result(i, j) = sum;
    }
  }
  return result;
}

// embedding W + b of the distances: the keys or queries of distances, by their maps.
template <typename S>
MatrixOf<S> of_distances(const Numbers<S>& numbers, const SharedMatrix& W, const SharedMatrix& b) {
  const Problem& problem = numbers.problem;
  return project(numbers.read(problem.relative->embedding), numbers.read(W),
                 problem.config.biases ? numbers.read(b) : MatrixOf<S>());
}

// Of each pair the query and the key of its distance, [seq_len × kv_len]; 0 × 0 when they are not
// compared.
template <typename S>
MatrixOf<S> content_to_position(const MatrixOf<S>& Q, const Numbers<S>& numbers, Index head) {
  const Problem& problem = numbers.problem;
  if (!problem.relative || !problem.relative->content_to_position) return {};
  const auto& maps = problem.relative->maps;
  const auto number = static_cast<size_t>(head);
  const MatrixOf<S> keys = maps.empty() ? of_distances(numbers, problem.kv_parameters(head).W_K,
                                                       problem.kv_parameters(head).b_K)
                                        : of_distances(numbers, maps[number].W_K, maps[number].b_K);
  MatrixOf<S> result(problem.seq_len(), problem.kv_len());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      S sum = 0;
      for (Index d = 0; d < Q.cols(); ++d)
        sum += Q(i, d) * keys(problem.relative->distances.of(i, j), d);
      result(i, j) = sum;
    }
  }
  return result;
}

// Of each pair the query of its distance and the key, likewise.
template <typename S>
MatrixOf<S> position_to_content(const MatrixOf<S>& K, const Numbers<S>& numbers, Index head) {
  const Problem& problem = numbers.problem;
  if (!problem.relative || !problem.relative->position_to_content) return {};
  const auto& maps = problem.relative->maps;
  const auto number = static_cast<size_t>(head);
  const QueryParameters& own = problem.parameters.heads[number];
  const MatrixOf<S> queries = maps.empty()
                                  ? of_distances(numbers, own.W_Q, own.b_Q)
                                  : of_distances(numbers, maps[number].W_Q, maps[number].b_Q);
  MatrixOf<S> result(problem.seq_len(), problem.kv_len());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      S sum = 0;
      for (Index d = 0; d < K.cols(); ++d)
        sum += queries(problem.relative->distances.of(i, j), d) * K(j, d);
      result(i, j) = sum;
    }
  }
  return result;
}

// The scores and what is added to them, which may be 0 × 0; same shape.
template <typename S>
MatrixOf<S> summed(const MatrixOf<S>& scores, const MatrixOf<S>& a, const MatrixOf<S>& b) {
  MatrixOf<S> result = scores;
  for (Index i = 0; i < a.size(); ++i) result.data()[i] += a.data()[i];
  for (Index i = 0; i < b.size(); ++i) result.data()[i] += b.data()[i];
  return result;
}

// scores / (√d_k · temperature), same shape; without config.scale the root counts as 1.
template <typename S>
MatrixOf<S> scaled(const MatrixOf<S>& scores, const Config& config) {
  const double root = config.scale ? std::sqrt(static_cast<double>(config.d_k)) : 1.0;
  MatrixOf<S> result = scores;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] /= root * config.temperature;
  return result;
}

// cap · tanh(scaled / cap), same shape; without a cap the scaled scores.
template <typename S>
MatrixOf<S> capped(const MatrixOf<S>& scaled_scores, double cap) {
  MatrixOf<S> result = scaled_scores;
  for (Index i = 0; i < result.size() && cap > 0; ++i)
    result.data()[i] = cap * tanh(result.data()[i] / cap);
  return result;
}

// capped + bias − slope · |i − j|, and −∞ where not allowed, [seq_len × kv_len].
template <typename S>
MatrixOf<S> masked(const MatrixOf<S>& capped_scores, const Numbers<S>& numbers, Index head) {
  const Problem& problem = numbers.problem;
  const Config& config = problem.config;
  const bool alibi = config.positions == Positions::kAlibi;
  const double slope = alibi ? alibi_slope(static_cast<int>(head), config.n_heads) : 0.0;
  const MatrixOf<S> bias = numbers.read(problem.bias);
  MatrixOf<S> own_bias;
  if (!problem.head_bias.empty())
    own_bias = numbers.read(problem.head_bias[static_cast<size_t>(head)]);
  MatrixOf<S> result = capped_scores;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      if (bias.size() > 0) result(i, j) += bias(i, j);
      if (own_bias.size() > 0) result(i, j) += own_bias(i, j);
      if (alibi) result(i, j) -= slope * static_cast<double>(std::abs(i - j));
      if (!problem.may_attend(i, j)) result(i, j) = -kInfinite;
    }
  }
  return result;
}

// A row of −∞ only gets weights 0. NaN and +∞ turn their row into NaN without a special rule,
// because ∞ − ∞ and ∞ / ∞ are NaN.
template <typename S>
void softmax_row(const MatrixOf<S>& scores, const S& sink, Index i, MatrixOf<S>& weights) {
  S maximum = sink;
  bool nothing = true;
  for (Index j = 0; j < scores.cols(); ++j) {
    if (scores(i, j) > maximum) maximum = scores(i, j);
    nothing = nothing && scores(i, j) == -kInfinite;
  }
  S denominator = sink == -kInfinite || nothing ? S(0) : S(exp(sink - maximum));
  for (Index j = 0; j < scores.cols(); ++j) {
    weights(i, j) = nothing ? S(0) : S(exp(scores(i, j) - maximum));
    denominator += weights(i, j);
  }
  for (Index j = 0; j < scores.cols() && !nothing; ++j) weights(i, j) /= denominator;
}

// The score without a key of a head; −∞ when there is none.
template <typename S>
S sink(const Numbers<S>& numbers, Index head) {
  if (!numbers.problem.config.sink) return S(-kInfinite);
  const MatrixOf<S> own =
      numbers.read(numbers.problem.parameters.heads[static_cast<size_t>(head)].sink);
  return own.size() > 0 ? own(0, 0) : S(0);
}

// exp(score − largest) / (Σ of those in the row + exp(sink − largest)), same shape: Σ of a row is 1
// less what the sink has, or 0 if the row is −∞ only.
template <typename S>
MatrixOf<S> softmax(const MatrixOf<S>& scores, const S& sink) {
  MatrixOf<S> weights(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) softmax_row(scores, sink, i, weights);
  return weights;
}

// A dropped weight is 0; the others are scaled so that the expected sum stays the same.
template <typename S>
MatrixOf<S> dropped(const MatrixOf<S>& weights, const Config& config, Index head) {
  if (config.dropout_rate == 0.0f) return weights;
  const double kept = 1.0 - static_cast<double>(config.dropout_rate);
  MatrixOf<S> result(weights.rows(), weights.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = is_dropped(config, head, i, j) ? S(0) : S(weights(i, j) / kept);
    }
  }
  return result;
}

// weights V: [seq_len × kv_len] · [kv_len × d_v] → [seq_len × d_v].
template <typename S>
MatrixOf<S> mix(const MatrixOf<S>& weights, const MatrixOf<S>& V) {
  MatrixOf<S> result(weights.rows(), V.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index d = 0; d < result.cols(); ++d) {
      S sum = 0;
      for (Index j = 0; j < V.rows(); ++j) sum += weights(i, j) * V(j, d);
      result(i, d) = sum;
    }
  }
  return result;
}

// The head outputs side by side, each times its gain, [seq_len × n_heads·d_v]. A head whose gain is
// 0 gives 0, whatever its output.
template <typename S>
MatrixOf<S> concat(const Problem& problem, const std::vector<HeadStages<MatrixOf<S>>>& heads) {
  const Index d_v = problem.config.d_v;
  MatrixOf<S> result(problem.seq_len(), std::ssize(heads) * d_v);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index c = 0; c < result.cols(); ++c) {
      const double gain = head_gain(problem, c / d_v);
      const MatrixOf<S>& head_output = heads[static_cast<size_t>(c / d_v)].head_output;
      result(i, c) = gain == 0.0 ? S(0) : S(gain * head_output(i, c % d_v));
    }
  }
  return result;
}

// X + output: [seq_len × d_model] both.
template <typename S>
MatrixOf<S> add(const MatrixOf<S>& X, const MatrixOf<S>& output) {
  MatrixOf<S> result = output;
  for (Index i = 0; i < result.size(); ++i) result.data()[i] += X.data()[i];
  return result;
}

// The mean of row i.
template <typename S>
S mean(const MatrixOf<S>& rows, Index i) {
  S sum = 0;
  for (Index d = 0; d < rows.cols(); ++d) sum += rows(i, d);
  return sum / static_cast<double>(rows.cols());
}

// The mean square distance from the mean.
template <typename S>
S variance(const MatrixOf<S>& rows, Index i) {
  const S middle = mean(rows, i);
  S sum = 0;
  for (Index d = 0; d < rows.cols(); ++d) sum += (rows(i, d) - middle) * (rows(i, d) - middle);
  return sum / static_cast<double>(rows.cols());
}

// (x − mean) / √(variance + epsilon) · gamma + beta of each row, [seq_len × d_out].
template <typename S>
MatrixOf<S> normalised(const MatrixOf<S>& rows, const Numbers<S>& numbers) {
  const Problem& problem = numbers.problem;
  const MatrixOf<S> gamma = numbers.read(problem.parameters.gamma);
  const MatrixOf<S> beta = numbers.read(problem.parameters.beta);
  MatrixOf<S> result(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    const S middle = mean(rows, i);
    const S deviation = sqrt(variance(rows, i) + problem.config.layer_norm_epsilon);
    for (Index d = 0; d < rows.cols(); ++d) {
      const S factor = gamma.size() > 0 ? gamma(0, d) : S(1);
      const S offset = beta.size() > 0 ? beta(0, d) : S(0);
      result(i, d) = (rows(i, d) - middle) / deviation * factor + offset;
    }
  }
  return result;
}

}  // namespace attention::reference
