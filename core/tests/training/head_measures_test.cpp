#include "core/training/head_measures.h"

#include <gtest/gtest.h>

#include "core/analysis/metrics.h"
#include "core/network/network_evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/training/small_runs.h"

namespace attention::test {
namespace {

using training::composition;
using training::Composition;
using training::compositions;
using training::Example;
using training::HeadMeasures;
using training::TaskType;
using training::Trainer;

// Against the metrics of single heads.
TEST(HeadMeasures, AgreeWithTheMetricsOfOneText) {
  Trainer trainer(small_run(TaskType::kRepeat));
  ThreadPool pool(1);
  take_steps(trainer, 30, pool);
  const std::vector<Example> one = trainer.held_out(1);
  const network::Network network = trainer.network();
  const std::vector<HeadMeasures> measures = training::measure_heads(network, one);
  ASSERT_EQ(measures.size(), 4u);
  network::NetworkEvaluator evaluator;
  const auto& stack = evaluator.evaluate(network, {one[0].ids, {}, {}}).stack;
  for (Index i = 0; i < 4; ++i) {
    const Matrix weights = stack.head_weights(i / 2, i % 2);
    const HeadMeasures& found = measures[static_cast<std::size_t>(i)];
    EXPECT_NEAR(found.scores.previous, previous_token_weight(weights), 1e-5);
    const double n = 12, all_self = diagonal_weight(weights) * n - 1, rows = n - 1;
    EXPECT_NEAR(found.self, all_self / rows, 1e-5) << "without the first row, which is always 1";
    const std::vector<double> entropies = row_entropies(weights);
    double share = 0;
    for (Index row = 1; row < 12; ++row)
      share += entropy_share(entropies[static_cast<std::size_t>(row)], row + 1) / rows;
    EXPECT_NEAR(found.entropy, share, 1e-5);
  }
}

network::StoredMatrix stored_values(const Matrix& values) {
  return network::StoredMatrix(SharedMatrix(values));
}

// Layer 0 with one head that copies feature 0 to feature 1; layer 1 reads with the given W_Q, W_K.
network::Network two_heads(const Matrix& W_Q, const Matrix& W_K) {
  network::Block block;
  block.attention.key.first = 1, block.attention.value.first = 2;
  Matrix first = Matrix::Zero(4, 3), second = Matrix::Zero(4, 3), output = Matrix::Zero(1, 4);
  first(0, 2) = 2;
  output(0, 1) = 3;
  second.col(0) = W_Q;
  second.col(1) = W_K;
  second(1, 2) = 1;
  network::Network network;
  block.attention.projections = {{stored_values(first), {}}};
  block.attention.output = {stored_values(output), {}};
  network.stack.blocks.push_back(block);
  block.attention.projections = {{stored_values(second), {}}};
  network.stack.blocks.push_back(block);
  return network;
}

TEST(Composition, IsOneWhereAHeadReadsOnlyWhatAnotherWritesAndNoneWhereNothing) {
  const Matrix on_1 = Matrix::Identity(4, 4).col(1), on_3 = Matrix::Identity(4, 4).col(3);
  const Composition found = composition(two_heads(on_3, on_1), {0, 0}, {1, 0});
  EXPECT_FLOAT_EQ(found.query, 0);
  EXPECT_FLOAT_EQ(found.key, 1);
  EXPECT_FLOAT_EQ(found.value, 1);
  const Matrix half = (on_1 + on_3) / 2;
  EXPECT_FLOAT_EQ(composition(two_heads(half, half), {0, 0}, {1, 0}).query, std::sqrt(0.5f));
}

TEST(Composition, ListsTheHeadsOfEarlierLayers) {
  training::TrainingOptions options = small_run(TaskType::kRepeat);
  options.layers = 3;
  Trainer trainer(options);
  const network::Network network = trainer.network();
  EXPECT_TRUE(compositions(network, {0, 1}).empty());
  const auto all = compositions(network, {2, 1});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[3].head, (training::HeadId{1, 1}));
  EXPECT_EQ(all[3].composition, composition(network, {1, 1}, {2, 1}));
}

}  // namespace
}  // namespace attention::test
