#include "core/training/head_measures.h"

#include <cmath>

#include "core/network/network_evaluator.h"

namespace attention::training {
namespace {

// Sums over rows, of one head.
struct RowSums {
  double self = 0, entropy = 0;
  Index rows = 0;
};

double row_entropy(const MatrixView& weights, Index row) {
  double entropy = 0;
  for (Index key = 0; key <= row; ++key) {
    const auto w = static_cast<double>(weights(row, key));
    if (w > 0) entropy -= w * std::log(w);
  }
  return entropy;
}

void add_rows(const MatrixView& weights, RowSums& sums) {
  for (Index row = 1; row < weights.rows(); ++row) {
    sums.self += static_cast<double>(weights(row, row));
    sums.entropy += row_entropy(weights, row) / std::log(static_cast<double>(row + 1));
    ++sums.rows;
  }
}

}  // namespace

std::vector<HeadMeasures> measure_heads(const network::Network& network,
                                        const std::vector<Example>& examples) {
  const auto n_heads = network.stack.blocks.front().attention.n_heads;
  const auto n_layers = std::ssize(network.stack.blocks);
  network::NetworkEvaluator evaluator;
  network::HeadScoreMeter meter;
  std::vector<RowSums> sums(static_cast<std::size_t>(n_layers * n_heads));
  for (const Example& example : examples) {
    const network::StackTrace& stack = evaluator.evaluate(network, {example.ids, {}, {}}).stack;
    meter.add(stack, example.ids, n_heads);
    for (Index i = 0; i < n_layers * n_heads; ++i)
      add_rows(stack.head_weights(i / n_heads, i % n_heads), sums[static_cast<std::size_t>(i)]);
  }
  const std::vector<network::HeadScores> scores = meter.scores();
  std::vector<HeadMeasures> measures;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double rows = std::max<double>(1, static_cast<double>(sums[i].rows));
    measures.push_back({i < scores.size() ? scores[i] : network::HeadScores{},
                        static_cast<float>(sums[i].self / rows),
                        static_cast<float>(sums[i].entropy / rows)});
  }
  return measures;
}

}  // namespace attention::training
