#include "app/view/maps/metrics_cache.h"

#include <bit>
#include <cmath>
#include <limits>

namespace lab::view {

using attention::Problem;
using attention::SharedMatrix;
using attention::Trace;

namespace {

using MetricKey = std::vector<std::uint64_t>;

MetricKey versions_of_weights(const Trace& trace) {
  MetricKey key;
  for (const auto& head : trace.heads) key.push_back(head.weights.version());
  return key;
}

MetricKey versions_of_weights(const Trace& trace, std::span<const attention::Index> heads) {
  MetricKey key;
  for (const attention::Index head : heads)
    key.push_back(trace.heads[static_cast<std::size_t>(head)].weights.version());
  return key;
}

MetricKey pair_key(const SharedMatrix& from, const SharedMatrix& to) {
  return {from.version(), to.version()};
}

const SharedMatrix& head_weights(const Trace& trace, int head) {
  return trace.heads[static_cast<std::size_t>(head)].weights;
}

// How much numbers may differ because sums were computed in another order: other rows of the same
// product were stale.
float rounding_of(const attention::Matrix& values) {
  constexpr float kRoundings = 16;
  return kRoundings * std::numeric_limits<float>::epsilon() * attention::largest_change(values);
}

double weights_metric(HeadOrder metric, const attention::Matrix& weights) {
  switch (metric) {
    case HeadOrder::kEntropy:
      return attention::mean_entropy(weights);
    case HeadOrder::kStrongest:
      return attention::strongest_pair(weights, true).weight;
    case HeadOrder::kDiagonal:
      return attention::diagonal_weight(weights);
    case HeadOrder::kPrevious:
      return attention::previous_token_weight(weights);
    case HeadOrder::kFirst:
      return attention::first_token_weight(weights);
    default:
      return 0;
  }
}

// A head's share of the output depends on more than its weights.
MetricKey output_key(const Problem& problem, const Trace& trace, int head) {
  return {static_cast<std::uint64_t>(head), trace.concat.version(), trace.output.version(),
          problem.parameters.W_O.version()};
}

// Sorting every row of a large matrix would take too long for a frame.
std::vector<attention::Pair> leading_of(const SharedMatrix& weights, float share) {
  constexpr attention::Index kMostCells = 1 << 18, kStrongest = 1000;
  if (weights->size() > kMostCells) return attention::strongest_pairs(*weights, kStrongest, false);
  std::vector<attention::Pair> all;
  for (attention::Index i = 0; i < weights->rows(); ++i) {
    const auto row = attention::leading_pairs(*weights, i, share);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace

double MetricsCache::metric(HeadOrder metric, const Problem& problem, const Trace& trace,
                            int head) {
  if (metric == HeadOrder::kNumber) return head + 1;
  if (metric == HeadOrder::kShift) {
    return metrics_.get(output_key(problem, trace, head),
                        [&] { return attention::output_shift_without_head(problem, trace, head); });
  }
  const SharedMatrix& weights = head_weights(trace, head);
  return metrics_.get({static_cast<std::uint64_t>(metric), weights.version()},
                      [&] { return weights_metric(metric, *weights); });
}

double MetricsCache::share(const Problem& problem, const Trace& trace, int head) {
  return shares_.get(output_key(problem, trace, head),
                     [&] { return attention::output_share_of_head(problem, trace, head); });
}

const attention::Pair& MetricsCache::strongest(const Trace& trace, int head) {
  const SharedMatrix& weights = head_weights(trace, head);
  return strongest_.get({weights.version()},
                        [&] { return attention::strongest_pair(*weights, true); });
}

std::optional<attention::SimilarHead> MetricsCache::similar(const Trace& trace, int head) {
  MetricKey key = versions_of_weights(trace);
  key.push_back(static_cast<std::uint64_t>(head));
  return similar_.get(key, [&] { return attention::most_similar_head(trace, head); });
}

const SharedMatrix& MetricsCache::mean(const Trace& trace,
                                       std::span<const attention::Index> heads) {
  return means_.get(versions_of_weights(trace, heads),
                    [&] { return SharedMatrix(attention::mean_weights(trace, heads)); });
}

const SharedMatrix& MetricsCache::maximum(const Trace& trace,
                                          std::span<const attention::Index> heads) {
  return maxima_.get(versions_of_weights(trace, heads),
                     [&] { return SharedMatrix(attention::largest_weights(trace, heads)); });
}

const SharedMatrix& MetricsCache::difference(const SharedMatrix& from, const SharedMatrix& to) {
  return differences_.get(pair_key(from, to),
                          [&] { return SharedMatrix(attention::difference(*from, *to)); });
}

const MovedCells& MetricsCache::moved(const SharedMatrix& from, const SharedMatrix& to) {
  return moved_.get(pair_key(from, to), [&] {
    MovedCells cells = attention::most_changed(attention::difference(*from, *to), kMostMoved);
    const float rounding = rounding_of(*from);
    std::erase_if(
        cells, [&](const attention::DifferenceCell& one) { return std::abs(one.by) <= rounding; });
    return cells;
  });
}

double MetricsCache::largest(const SharedMatrix& from, const SharedMatrix& to) {
  return largest_.get(pair_key(from, to), [&] {
    const float most = attention::largest_change(attention::difference(*from, *to));
    return most <= rounding_of(*from) ? 0.0 : double{most};
  });
}

double MetricsCache::norm(const SharedMatrix& from, const SharedMatrix& to) {
  return norms_.get(pair_key(from, to),
                    [&] { return attention::difference(*from, *to).cast<double>().norm(); });
}

const SharedMatrix& MetricsCache::placed(const PairedTokens& words, std::uint64_t pairing,
                                         attention::Stage stage, const SharedMatrix& a,
                                         const SharedMatrix& b) {
  return placed_.get({pairing, static_cast<std::uint64_t>(stage), a.version(), b.version()}, [&] {
    return SharedMatrix(attention::Matrix(aligned_to_b(words, stage, *a, *b)));
  });
}

const std::vector<attention::Pair>& MetricsCache::leading(const SharedMatrix& weights,
                                                          float share) {
  return leading_.get({weights.version(), std::bit_cast<std::uint32_t>(share)},
                      [&] { return leading_of(weights, share); });
}

const MeasuredLayer& MetricsCache::measured(const Document& document, const Trace& trace) {
  MetricKey key = versions_of_weights(trace);
  key.push_back(trace.output.version());
  return measured_.get(key, [&] { return without_padding(document, trace); });
}

void MetricsCache::end_frame() {
  measured_.end_frame();
  metrics_.end_frame();
  shares_.end_frame();
  strongest_.end_frame();
  similar_.end_frame();
  means_.end_frame();
  maxima_.end_frame();
  differences_.end_frame();
  placed_.end_frame();
  moved_.end_frame();
  largest_.end_frame();
  norms_.end_frame();
  leading_.end_frame();
}

}  // namespace lab::view
