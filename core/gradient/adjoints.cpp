#include "core/gradient/adjoints.h"

#include <cmath>

#include "core/config.h"
#include "core/layer/stages.h"

namespace attention {
namespace {

using RowD = Eigen::RowVectorXd;

RowD times_factors(const MatrixView& d, Index row, const MatrixView& factors) {
  RowD result = d.row(row).cast<double>();
  if (factors.size() > 0) result.array() *= factors.row(0).cast<double>().array();
  return result;
}

double root_of_mean(const RowD& values, float epsilon) {
  const double mean_square = values.squaredNorm() / static_cast<double>(values.size());
  return std::sqrt(mean_square + static_cast<double>(epsilon));
}

void add(const RowD& values, Index row, MatrixSlot& to) { to.row(row) += values.cast<float>(); }

}  // namespace

void normalise_rows_adjoint(const MatrixView& input, const MatrixView& gamma, float epsilon,
                            const MatrixView& d, MatrixSlot d_input, MatrixSlot d_gamma,
                            MatrixSlot d_beta) {
  for (Index i = 0; i < input.rows(); ++i) {
    RowD normal = input.row(i).cast<double>();
    normal.array() -= normal.mean();
    const double deviation = root_of_mean(normal, epsilon);
    normal /= deviation;
    RowD g = times_factors(d, i, gamma);
    if (d_gamma.size() > 0) add(d.row(i).cast<double>().cwiseProduct(normal), 0, d_gamma);
    if (d_beta.size() > 0) d_beta += d.row(i);
    const double along = g.cwiseProduct(normal).mean();
    g.array() -= g.mean();
    add((g - along * normal) / deviation, i, d_input);
  }
}

void project_adjoint(const MatrixView& input, const MatrixView& W, const MatrixView& d,
                     MatrixSlot d_input, MatrixSlot d_W, MatrixSlot d_b) {
  d_input.noalias() += d * W.transpose();
  d_W.noalias() += input.transpose() * d;
  if (d_b.size() > 0) d_b += d.colwise().sum();
}

float mix_head_adjoint(const MatrixView& head_output, float gain, const MatrixView& d,
                       MatrixSlot d_head_output) {
  if (gain == 0.0f) return 0.0f;
  d_head_output += gain * d;
  return head_output.cwiseProduct(d).sum();
}

void mix_values_adjoint(const MatrixView& weights, const MatrixView& V, const MatrixView& d,
                        MatrixSlot d_weights, MatrixSlot d_V) {
  d_weights.noalias() += d * V.transpose();
  d_V.noalias() += weights.transpose() * d;
}

void drop_weights_adjoint(const Config& config, Index head, Index first_row, const MatrixView& d,
                          MatrixSlot d_weights) {
  const float factor = dropout_factor(config);
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = 0; j < d.cols(); ++j)
      if (!is_dropped(config, head, first_row + i, j)) d_weights(i, j) += factor * d(i, j);
}

float softmax_rows_adjoint(const MatrixView& weights, const Eigen::VectorXd& shares,
                           const MatrixView& d, MatrixSlot d_scores) {
  RowD w, apart;
  double d_sink = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    // Measured from the largest weight: where it is nearly 1, what is left to the others would be
    // lost by rounding. The sink counts as one more weight, whose d is 0.
    Index largest = 0;
    const bool of_sink = weights.row(i).maxCoeff(&largest) < shares(i);
    const double origin = of_sink ? 0 : static_cast<double>(d(i, largest));
    w = weights.row(i).cast<double>();
    apart = d.row(i).cast<double>();
    apart.array() -= origin;
    const double mean = w.dot(apart) - shares(i) * origin;
    d_scores.row(i) += (w.array() * (apart.array() - mean)).matrix().cast<float>();
    if (shares(i) > 0) d_sink += shares(i) * (-origin - mean);
  }
  return static_cast<float>(d_sink);
}

void mask_scores_adjoint(const Problem& problem, Index first_row, const MatrixView& d,
                         MatrixSlot d_capped) {
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = 0; j < d.cols(); ++j)
      if (problem.may_attend(first_row + i, j)) d_capped(i, j) += d(i, j);
}

void cap_scores_adjoint(const MatrixView& scaled, float cap, const MatrixView& d,
                        MatrixSlot d_scaled) {
  if (cap > 0) {
    // 1 / cosh² is the same, and has all its digits where the cap is reached.
    d_scaled.array() += d.array() * (scaled.array() / cap).cosh().square().inverse();
  } else {
    d_scaled += d;
  }
}

void attention_scores_adjoint(const MatrixView& Q, const MatrixView& K, const MatrixView& d,
                              MatrixSlot d_Q, MatrixSlot d_K) {
  d_Q.noalias() += d * K;
  d_K.noalias() += d.transpose() * Q;
}

void scores_of_positions_adjoint(const MatrixView& Q, const MatrixView& position_keys,
                                 const DistanceRows& distances, Index first_query,
                                 const MatrixView& d, const MatrixSlot& d_Q,
                                 const MatrixSlot& d_position_keys) {
  Matrix by_distance = Matrix::Zero(Q.rows(), position_keys.rows());
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = 0; j < d.cols(); ++j)
      by_distance(i, distances.of(first_query + i, j)) += d(i, j);
  attention_scores_adjoint(Q, position_keys, by_distance, d_Q, d_position_keys);
}

void scores_by_positions_adjoint(const MatrixView& K, const MatrixView& position_queries,
                                 const DistanceRows& distances, Index first_query,
                                 const MatrixView& d, const MatrixSlot& d_K,
                                 const MatrixSlot& d_position_queries) {
  Matrix by_distance = Matrix::Zero(K.rows(), position_queries.rows());
  for (Index i = 0; i < d.rows(); ++i)
    for (Index j = 0; j < d.cols(); ++j)
      by_distance(j, distances.of(first_query + i, j)) += d(i, j);
  attention_scores_adjoint(K, position_queries, by_distance, d_K, d_position_queries);
}

void rotate_adjoint(const RotaryTable& table, RotaryPairs pairs, Index first_position,
                    const MatrixView& d, MatrixSlot d_input) {
  Matrix turned_back(d.rows(), d.cols());
  rotate(d, {table.cosines, -table.sines, table.first}, pairs, first_position, turned_back);
  d_input += turned_back;
}

void normalise_by_rms_adjoint(const MatrixView& input, const MatrixView& weight, float epsilon,
                              const MatrixView& d, MatrixSlot d_input, MatrixSlot d_weight) {
  for (Index i = 0; i < input.rows(); ++i) {
    RowD normal = input.row(i).cast<double>();
    const double root = root_of_mean(normal, epsilon);
    normal /= root;
    const RowD g = times_factors(d, i, weight);
    if (d_weight.size() > 0) add(d.row(i).cast<double>().cwiseProduct(normal), 0, d_weight);
    const double along = g.cwiseProduct(normal).mean();
    add((g - along * normal) / root, i, d_input);
  }
}

void add_along(const MatrixView& input, const MatrixView& weight, const MatrixView& d, Index heads,
               JointRows& all) {
  const auto numbers = static_cast<double>(heads * input.cols());
  for (Index i = 0; i < input.rows(); ++i) {
    const RowD normal = input.row(i).cast<double>() / all.roots(i);
    all.along(i) += times_factors(d, i, weight).dot(normal) / numbers;
  }
}

void normalise_jointly_adjoint(const MatrixView& input, const MatrixView& weight,
                               const JointRows& all, const MatrixView& d, MatrixSlot d_input,
                               MatrixSlot d_weight) {
  for (Index i = 0; i < input.rows(); ++i) {
    const RowD normal = input.row(i).cast<double>() / all.roots(i);
    RowD change = -all.along(i) * normal;
    if (d.size() > 0) {
      change += times_factors(d, i, weight);
      if (d_weight.size() > 0) add(d.row(i).cast<double>().cwiseProduct(normal), 0, d_weight);
    }
    add(change / all.roots(i), i, d_input);
  }
}

}  // namespace attention
