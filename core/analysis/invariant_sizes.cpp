#include "core/analysis/invariant_sizes.h"

#include <cstdlib>

#include "core/analysis/reference_stages.h"
#include "core/layer/relative_scores.h"

namespace attention {
namespace {

constexpr double kNotSet = -1;

Index heads_of(const Problem& problem, Stage stage) {
  return is_per_head(stage) ? problem.config.n_heads : 1;
}

// The largest magnitude of one kind of matrix over all heads.
template <typename Head>
double largest_of(const std::vector<Head>& heads, SharedMatrix Head::*matrix) {
  double largest = 0;
  for (const Head& head : heads) largest = std::max(largest, magnitude(*(head.*matrix)));
  return largest;
}

// A projection of input · W + b, with or without its bias.
template <typename Head>
double projection_size(double input, const std::vector<Head>& heads, SharedMatrix Head::*W,
                       SharedMatrix Head::*b, bool biases) {
  return std::max(input * largest_of(heads, W), biases ? largest_of(heads, b) : 0.0);
}

// The largest sum of the weights of a row.
double largest_row_sum(const ReferenceTrace& reference, Index n_heads) {
  double largest = 0;
  for (Index h = 0; h < n_heads; ++h) {
    const MatrixD& weights = stage_matrix(reference, Stage::kDroppedWeights, h);
    for (Index i = 0; i < weights.rows(); ++i) {
      const double sum = weights.row(i).cwiseAbs().sum();
      if (std::isfinite(sum)) largest = std::max(largest, sum);
    }
  }
  return largest;
}

double largest_gain(const Problem& problem) {
  double largest = 0;
  for (Index h = 0; h < problem.config.n_heads; ++h) {
    largest = std::max(largest, std::abs(static_cast<double>(head_gain(problem, h))));
  }
  return largest;
}

// ALiBi's slope of the head; 0 without ALiBi.
double slope_of(const Problem& problem, Index head) {
  if (problem.config.positions != Positions::kAlibi) return 0;
  return alibi_slope(static_cast<int>(head), problem.config.n_heads);
}

}  // namespace

StageSizes::StageSizes(const Problem& problem, const ReferenceTrace& reference)
    : problem_(problem), reference_(reference) {
  sizes_.fill(kNotSet);
  add_inputs();
  add_projections();
  add_scores();
  add_attended();
  add_outputs();
  add_others();
}

// The size of a stage is that of its terms or of its own numbers, whichever is larger: an override
// may exceed every term.
void StageSizes::set(Stage stage, double terms) {
  sizes_.at(static_cast<size_t>(stage)) = std::max(terms, largest_number(stage));
}

double StageSizes::largest_number(Stage stage) const {
  double largest = 0;
  for (Index h = 0; h < heads_of(problem_, stage); ++h)
    largest = std::max(largest, magnitude(stage_matrix(reference_, stage, h)));
  return largest;
}

void StageSizes::add_inputs() {
  set(Stage::kPosition, 0);
  set(Stage::kX, std::max(magnitude(*problem_.embedding), of(Stage::kPosition)));
  set(Stage::kPositionKv, 0);
  const double keys = std::max(magnitude(*problem_.embedding_kv), of(Stage::kPositionKv));
  set(Stage::kXKv, problem_.cross() ? keys : of(Stage::kX));
}

void StageSizes::add_projections() {
  const bool biases = problem_.config.biases;
  const std::vector<QueryParameters>& heads = problem_.parameters.heads;
  const std::vector<KeyValueParameters>& kv_heads = problem_.parameters.kv_heads;
  using Q = QueryParameters;
  using KV = KeyValueParameters;
  const double X = of(Stage::kX), X_kv = of(Stage::kXKv);
  set(Stage::kQ, projection_size(X, heads, &Q::W_Q, &Q::b_Q, biases));
  set(Stage::kK, projection_size(X_kv, kv_heads, &KV::W_K, &KV::b_K, biases));
  set(Stage::kV, projection_size(X_kv, kv_heads, &KV::W_V, &KV::b_V, biases));
  set(Stage::kNormedQ, largest_normed_row(Stage::kNormedQ));
  set(Stage::kNormedK, largest_normed_row(Stage::kNormedK));
  set(Stage::kNormedV, largest_normed_row(Stage::kNormedV));
  set(Stage::kRotatedQ, of(Stage::kNormedQ));
  set(Stage::kRotatedK, of(Stage::kNormedK));
}

void StageSizes::add_scores() {
  // Of a product, one factor is off while the other is what it is.
  const double queries = of(Stage::kRotatedQ) * largest_number(Stage::kRotatedK);
  const double keys = of(Stage::kRotatedK) * largest_number(Stage::kRotatedQ);
  set(Stage::kScores, std::max(queries, keys));
  add_position_scores();
  set(Stage::kScaledScores, of(Stage::kSummedScores) * score_factor(problem_.config));
  set(Stage::kCappedScores, of(Stage::kScaledScores));
  const double farthest = static_cast<double>(std::max(problem_.seq_len(), problem_.kv_len()) - 1);
  double terms = of(Stage::kCappedScores);
  for (Index h = 0; h < problem_.config.n_heads; ++h) {
    terms = std::max(terms, slope_of(problem_, h) * farthest);
  }
  set(Stage::kMaskedScores, terms);
}

// Of a product, likewise; the keys and queries of distances are themselves sums of products.
void StageSizes::add_position_scores() {
  set(Stage::kSummedScores, of(Stage::kScores));
  if (!problem_.relative) return;
  const double rows = magnitude(*problem_.relative->embedding);
  for (Index h = 0; h < problem_.config.n_heads; ++h) {
    const PositionMap keys = position_key_map(problem_, h),
                      queries = position_query_map(problem_, h);
    const auto size = [&](const PositionMap& map) {
      return std::max(rows * magnitude(*map.W), magnitude(*map.b));
    };
    const auto product = [&](Stage stage, Stage content, double positions) {
      sizes_.at(static_cast<size_t>(stage)) =
          std::max({of(stage), of(content) * positions, largest_number(stage)});
    };
    if (problem_.relative->content_to_position)
      product(Stage::kContentToPosition, Stage::kRotatedQ, size(keys));
    if (problem_.relative->position_to_content)
      product(Stage::kPositionToContent, Stage::kRotatedK, size(queries));
  }
  set(Stage::kSummedScores,
      std::max({of(Stage::kScores), of(Stage::kContentToPosition), of(Stage::kPositionToContent)}));
}

void StageSizes::add_attended() {
  attended_ = std::max(attended_, of(Stage::kCappedScores));
  for (Index h = 0; h < problem_.config.n_heads; ++h) {
    const MatrixD& weights = stage_matrix(reference_, Stage::kWeights, h);
    const MatrixD& scores = stage_matrix(reference_, Stage::kMaskedScores, h);
    const double slope = slope_of(problem_, h);
    for (Index i = 0; i < weights.rows(); ++i) {
      for (Index j = 0; j < weights.cols(); ++j) {
        if (!(weights(i, j) > 0) || !std::isfinite(scores(i, j))) continue;
        const double penalty = slope * static_cast<double>(std::abs(i - j));
        attended_ = std::max({attended_, std::abs(scores(i, j)), penalty});
      }
    }
  }
}

void StageSizes::add_outputs() {
  const Parameters& parameters = problem_.parameters;
  set(Stage::kWeights, 1);
  set(Stage::kDroppedWeights, of(Stage::kWeights));
  const double sum = std::max(1.0, largest_row_sum(reference_, problem_.config.n_heads));
  set(Stage::kHeadOutput, of(Stage::kNormedV) * sum);
  set(Stage::kConcat, of(Stage::kHeadOutput) * largest_gain(problem_));
  const double bias = problem_.config.biases ? magnitude(*parameters.b_O) : 0.0;
  set(Stage::kOutput, std::max(of(Stage::kConcat) * magnitude(*parameters.W_O), bias));
  const double X = problem_.config.residual ? of(Stage::kX) : 0.0;
  set(Stage::kResidual, std::max(of(Stage::kOutput), X));
  sizes_.at(static_cast<size_t>(Stage::kLayerNorm)) = of(Stage::kResidual);
}

// Stages that only modify the numbers of the one before keep its size.
void StageSizes::add_others() {
  for (const Stage stage : kAllStages) {
    const std::optional<Stage> before = stage_info(stage).repeats;
    if (of(stage) == kNotSet && before) set(stage, of(*before));
  }
}

double StageSizes::of_normed_row(Stage stage, Index head, Index row) const {
  const Parameters& parameters = problem_.parameters;
  static const SharedMatrix kNone;
  const bool values = stage == Stage::kNormedV;
  const SharedMatrix& weight = values                     ? kNone
                               : stage == Stage::kNormedQ ? parameters.norm_Q
                                                          : parameters.norm_K;
  const Stage before = *stage_info(stage).repeats;
  const auto numbers = stage_matrix(reference_, before, head).row(row).array();
  const double mean_square =
      values ? numbers.square().mean()
             : reference::mean_square(reference_, problem_.config, before, head, row);
  const double root = std::sqrt(mean_square + problem_.config.head_norm_epsilon);
  const double normalised = numbers.abs().maxCoeff() / root;
  const double factor = weight.empty() ? 1.0 : magnitude(*weight);
  return factor * std::max(normalised, (1 + normalised) * of(before) / root);
}

double StageSizes::largest_normed_row(Stage stage) const {
  if (!is_switched_on(problem_, stage)) return of(*stage_info(stage).repeats);
  double largest = 0;
  for (Index h = 0; h < problem_.config.n_heads; ++h)
    for (Index i = 0; i < stage_matrix(reference_, stage, h).rows(); ++i)
      largest = std::max(largest, of_normed_row(stage, h, i));
  return largest;
}

double StageSizes::of_row(Stage stage, Index head, Index row) const {
  const bool computed = is_switched_on(problem_, stage);
  if (stage == Stage::kLayerNorm && computed) return of_normalised_row(row);
  const bool normed =
      stage == Stage::kNormedQ || stage == Stage::kNormedK || stage == Stage::kNormedV;
  return normed && computed ? of_normed_row(stage, head, row) : of(stage);
}

double StageSizes::of_normalised_row(Index row) const {
  const auto numbers = stage_matrix(reference_, Stage::kResidual, 0).row(row).array();
  const double mean = numbers.mean();
  const double variance = (numbers - mean).square().mean();
  const double deviation = std::sqrt(variance + problem_.config.layer_norm_epsilon);
  const double normalised = (numbers - mean).abs().maxCoeff() / deviation;
  const Parameters& parameters = problem_.parameters;
  const double gamma = parameters.gamma.empty() ? 1.0 : magnitude(*parameters.gamma);
  const double grown = gamma * (2 + normalised) * of(Stage::kResidual) / deviation;
  return std::max(grown, magnitude(*parameters.beta));
}

}  // namespace attention
