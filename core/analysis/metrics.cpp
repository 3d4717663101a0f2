#include "core/analysis/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace attention {
namespace {

double mean_over_rows(double sum, Index rows) {
  return rows <= 0 ? 0.0 : sum / static_cast<double>(rows);
}

// A number beats a NaN; equal weights stay in reading order.
bool comes_first(const Pair& a, const Pair& b) {
  if (std::isnan(a.weight) != std::isnan(b.weight)) return std::isnan(b.weight);
  if (a.weight > b.weight || a.weight < b.weight) return a.weight > b.weight;
  return a.row != b.row ? a.row < b.row : a.col < b.col;
}

// Keeps the pairs that come first, at most `count` of them; the heap's top is the last of them.
void offer(std::vector<Pair>& heap, size_t count, const Pair& pair) {
  if (heap.size() == count) {
    if (!comes_first(pair, heap.front())) return;
    std::ranges::pop_heap(heap, comes_first);
    heap.pop_back();
  }
  heap.push_back(pair);
  std::ranges::push_heap(heap, comes_first);
}

// Σ a b over all cells, in double precision: which no product of two floats overflows or
// underflows.
double inner_product(const Matrix& a, const Matrix& b) {
  return a.cast<double>().cwiseProduct(b.cast<double>()).sum();
}

// The columns of concat that belong to `head`.
Matrix columns_of_head(const Problem& problem, const Trace& trace, Index head) {
  if (head < 0 || head >= std::ssize(trace.heads)) {
    throw std::out_of_range("there is no head_" + std::to_string(head + 1) + " among " +
                            std::to_string(trace.heads.size()));
  }
  return trace.concat->middleCols(head * problem.config.d_v, problem.config.d_v);
}

// The contribution of such columns to the output.
Matrix part_of_head(const Problem& problem, const Matrix& columns, Index head) {
  return columns * problem.parameters.W_O->middleRows(head * columns.cols(), columns.cols());
}

// Sets the overridden cells of `stage` to 0 in `block`, the columns of it from `first_col` on.
void clear_overridden(const Problem& problem, Stage stage, Index first_col, Matrix& block) {
  for (const Override& o : problem.overrides) {
    const Index col = o.col - first_col;
    if (o.stage == stage && col >= 0 && col < block.cols()) block(o.row, col) = 0.0f;
  }
}

double norm(const Matrix& a) { return std::sqrt(inner_product(a, a)); }

double norm_without_bias(const Problem& problem, const Trace& trace) {
  Matrix rest = *trace.output;
  const SharedMatrix& b_O = problem.parameters.b_O;
  if (problem.config.biases && !b_O.empty()) rest.rowwise() -= b_O->row(0);
  return rest.cast<double>().norm();
}

}  // namespace

std::vector<double> row_entropies(const MatrixView& weights) {
  std::vector<double> entropies(static_cast<size_t>(weights.rows()), 0.0);
  for (Index i = 0; i < weights.rows(); ++i) {
    const Eigen::ArrayXd w = weights.row(i).transpose().cast<double>();
    const Eigen::ArrayXd information = -w * w.log();
    double& entropy = entropies[static_cast<size_t>(i)];
    for (Index j = 0; j < w.size(); ++j) entropy += w[j] == 0.0 ? 0.0 : information[j];
  }
  return entropies;
}

double entropy_share(double entropy, Index kv_len) {
  return kv_len <= 1 ? 0.0 : entropy / std::log(static_cast<double>(kv_len));
}

double mean_entropy(const MatrixView& weights) {
  const std::vector<double> entropies = row_entropies(weights);
  return mean_over_rows(std::accumulate(entropies.begin(), entropies.end(), 0.0), weights.rows());
}

std::vector<Pair> strongest_pairs(const MatrixView& weights, Index count, bool skip_diagonal) {
  std::vector<Pair> heap;
  if (count <= 0) return heap;
  const bool skip = skip_diagonal && weights.cols() > 1;
  bool is_full = false;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      const float weight = weights(i, j);
      if (is_full && weight < heap.front().weight) continue;  // true of nearly all
      if (skip && i == j) continue;
      offer(heap, static_cast<size_t>(count), {i, j, weight});
      is_full = std::ssize(heap) == count;
    }
  }
  std::ranges::sort_heap(heap, comes_first);
  return heap;
}

Pair strongest_pair(const MatrixView& weights, bool skip_diagonal) {
  const std::vector<Pair> pairs = strongest_pairs(weights, 1, skip_diagonal);
  return pairs.empty() ? Pair{} : pairs.front();
}

std::vector<Pair> leading_pairs(const MatrixView& weights, Index row, double share) {
  std::vector<Pair> pairs;
  double sum = 0;
  for (Index j = 0; j < weights.cols(); ++j) {
    const float weight = weights(row, j);
    if (!(weight > 0) || !std::isfinite(weight)) continue;
    pairs.push_back({row, j, weight});
    sum += weight;
  }
  std::ranges::sort(pairs, comes_first);
  double held = 0;
  const auto enough = std::ranges::find_if(pairs, [&](const Pair& pair) {
    const bool reached = held >= share * sum;
    held += pair.weight;
    return reached;
  });
  pairs.erase(enough, pairs.end());
  return pairs;
}

double diagonal_weight(const MatrixView& weights) {
  return mean_over_rows(weights.diagonal().cast<double>().sum(), weights.rows());
}

double previous_token_weight(const MatrixView& weights) {
  if (weights.rows() < 2) return 0.0;
  return mean_over_rows(weights.diagonal(-1).cast<double>().sum(), weights.rows() - 1);
}

double first_token_weight(const MatrixView& weights) {
  if (weights.size() == 0) return 0.0;
  return mean_over_rows(weights.col(0).cast<double>().sum(), weights.rows());
}

Matrix head_similarity(const Trace& trace) {
  const Index n_heads = std::ssize(trace.heads);
  Matrix similarity = Matrix::Zero(n_heads, n_heads);
  const auto weights = [&](Index h) -> const Matrix& {
    return *trace.heads[static_cast<size_t>(h)].weights;
  };
  std::vector<double> norms;
  for (Index a = 0; a < n_heads; ++a) {
    norms.push_back(norm(weights(a)));
    for (Index b = 0; b <= a; ++b) {
      const double size = norms[static_cast<size_t>(a)] * norms[static_cast<size_t>(b)];
      if (size == 0.0) continue;
      const double cosine = inner_product(weights(a), weights(b)) / size;
      similarity(a, b) = similarity(b, a) = static_cast<float>(cosine);
    }
  }
  return similarity;
}

std::optional<SimilarHead> most_similar_head(const Trace& trace, Index head) {
  const auto& head_weights = *trace.heads.at(static_cast<size_t>(head)).weights;
  const double head_norm = norm(head_weights);
  std::optional<SimilarHead> best;
  for (Index other = 0; other < std::ssize(trace.heads); ++other) {
    if (other == head) continue;
    const auto& weights = *trace.heads[static_cast<size_t>(other)].weights;
    const double size = head_norm * norm(weights);
    const double likeness = size == 0.0 ? 0.0 : inner_product(head_weights, weights) / size;
    if (!best || likeness > best->cosine) best = SimilarHead{other, likeness};
  }
  return best;
}

Matrix head_part(const Problem& problem, const Trace& trace, Index head) {
  return part_of_head(problem, columns_of_head(problem, trace, head), head);
}

double output_shift_without_head(const Problem& problem, const Trace& trace, Index head) {
  Matrix columns = columns_of_head(problem, trace, head);
  clear_overridden(problem, Stage::kConcat, head * columns.cols(), columns);
  Matrix moved = part_of_head(problem, columns, head);
  clear_overridden(problem, Stage::kOutput, 0, moved);
  return moved.cast<double>().norm();
}

double output_share_of_head(const Problem& problem, const Trace& trace, Index head) {
  const double whole = norm_without_bias(problem, trace);
  const double contribution = output_shift_without_head(problem, trace, head);
  return whole == 0.0 ? 0.0 : contribution / whole;
}

}  // namespace attention
