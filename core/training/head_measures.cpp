#include "core/training/head_measures.h"

#include <cmath>

#include "core/network/layer_matrix.h"
#include "core/network/network_evaluator.h"
#include "core/network/row_functions.h"

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

using MatrixD = Eigen::MatrixXd;

MatrixD weights_of(const network::Attention& attention, MatrixId id, Index head) {
  return network::layer_matrix_values(attention, id, head).cast<double>();
}

// The rows of W_O of a head.
MatrixD output_of(const network::Attention& attention, Index head) {
  return weights_of(attention, MatrixId::kWO, 0)
      .middleRows(head * attention.head_dim, attention.head_dim);
}

// The three matrices that a head reads by, each as a product of two thin ones, with the factors of
// the norm before it.
struct Reading {
  MatrixD W_Q, W_K, W_V, W_O;
};

Reading reading_of(const network::Block& block, Index head) {
  Reading reading = {weights_of(block.attention, MatrixId::kWQ, head),
                     weights_of(block.attention, MatrixId::kWK, head),
                     weights_of(block.attention, MatrixId::kWV, head),
                     output_of(block.attention, head)};
  if (!block.attention_norms.before) return reading;
  const Matrix factors = network::norm_weight(*block.attention_norms.before);
  if (factors.size() == 0) return reading;
  const Eigen::VectorXd f = factors.row(0).cast<double>();
  for (MatrixD* W : {&reading.W_Q, &reading.W_K, &reading.W_V}) *W = f.asDiagonal() * *W;
  return reading;
}

// ‖A B‖ / (‖A‖ ‖B‖) for B = left · right.
float composed(const MatrixD& A, const MatrixD& left, const MatrixD& right) {
  const MatrixD B = left * right;
  const double sizes = A.norm() * B.norm();
  return sizes == 0 ? 0 : static_cast<float>((A * B).norm() / sizes);
}

Composition composed(const MatrixD& written, const Reading& reading) {
  return {composed(written, reading.W_Q, reading.W_K.transpose()),
          composed(written, reading.W_K, reading.W_Q.transpose()),
          composed(written, reading.W_V, reading.W_O)};
}

MatrixD written_by(const network::Network& network, const HeadId& at) {
  const network::Attention& attention =
      network.stack.blocks[static_cast<std::size_t>(at.layer)].attention;
  return weights_of(attention, MatrixId::kWV, at.head) * output_of(attention, at.head);
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

Composition composition(const network::Network& network, const HeadId& earlier,
                        const HeadId& later) {
  return composed(
      written_by(network, earlier),
      reading_of(network.stack.blocks[static_cast<std::size_t>(later.layer)], later.head));
}

std::vector<ComposedHead> compositions(const network::Network& network, const HeadId& later) {
  const Reading reading =
      reading_of(network.stack.blocks[static_cast<std::size_t>(later.layer)], later.head);
  std::vector<ComposedHead> result;
  for (Index layer = 0; layer < later.layer; ++layer) {
    const Index heads = network.stack.blocks[static_cast<std::size_t>(layer)].attention.n_heads;
    for (Index head = 0; head < heads; ++head)
      result.push_back({{layer, head}, composed(written_by(network, {layer, head}), reading)});
  }
  return result;
}

}  // namespace attention::training
