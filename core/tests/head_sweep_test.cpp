// Knock-out and patching of each head: as they become known, and against single interventions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/layer/evaluator.h"
#include "core/network/head_sweep.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::Answer;
using network::AskedPass;
using network::attribute_logit;
using network::head_outputs;
using network::HeadSweep;
using network::Interventions;
using network::knock_out_map;
using network::layer_problem;
using network::LayerId;
using network::LogitAttribution;
using network::logits;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkTrace;
using network::patching_map;
using network::PatchSource;
using network::Sublayer;
using network::Tokens;
using ::testing::HasSubstr;

const Tokens kTarget{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
const Tokens kOther{{2, 7, 1, 8, 2, 8, 1, 8}, {}, {}};

std::vector<Network> three_networks() {
  PortableRandom random(77);
  return {random_network({}, random),         random_rotary_network({}, random),
          random_experts_network({}, random), random_normed_network({}, random),
          random_sinks_network({}, random),   random_jointly_normed_network({}, random),
          random_latent_network({}, random),  random_distance_network({}, random)};
}

LayerId self(Index layer) { return {Sublayer::kSelf, layer}; }

// Gains, overrides of what a layer reads and of what comes after its weights, and a patch.
Interventions many_interventions() {
  Interventions all;
  all.gains = {{self(1), 2, 0.5f}, {self(2), 0, -1.5f}};
  all.overrides = {{self(1), {Stage::kHeadOutput, 1, 4, 2, 0.75f}},
                   {self(1), {Stage::kWeights, 2, 5, 2, 0.25f}},
                   {self(1), {Stage::kX, 0, 3, 8, 1.5f}},
                   {self(1), {Stage::kDroppedWeights, 0, 6, 1, -0.5f}},
                   {self(1), {Stage::kConcat, 0, 6, 7, -3.0f}},
                   {self(1), {Stage::kOutput, 0, 6, 5, 2.25f}}};
  all.patches = {{self(1), 3, Stage::kHeadOutput, SharedMatrix(Matrix::Ones(8, 6))}};
  all.stream = {{self(2), 3, 1, 0.5f}};
  return all;
}

float answer_with(const Network& network, const Interventions& interventions,
                  const Answer& answer) {
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kTarget, interventions);
  const Matrix all = logits(network, trace.stack.final.row(answer.row), evaluator.pool());
  const float logit = all(0, answer.token);
  return answer.minus ? logit - all(0, *answer.minus) : logit;
}

TEST(AnswerDifference, IsTheDifferenceOfTheMapsOfBothTokens) {
  for (const Network& network : three_networks()) {
    const Interventions all = many_interventions();
    const Matrix one = knock_out_map(network, kTarget, all, {6, 4}, 1);
    const Matrix other = knock_out_map(network, kTarget, all, {6, 9}, 1);
    const Matrix both = knock_out_map(network, kTarget, all, {6, 4, 9}, 1);
    EXPECT_TRUE(all_near(both, Matrix(one - other), 1e-4));
    EXPECT_FALSE(all_near(both, one, 1e-2));
  }
}

TEST(AnswerDifference, IsTheSumOfItsDirectParts) {
  for (const Network& network : three_networks()) {
    const Interventions all = many_interventions();
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kTarget, all);
    const Answer answer{6, 4, 9};
    if (network.stack.blocks.back().added_convolution) {  // which a norm follows
      EXPECT_THROW(attribute_logit(network, trace, all, answer, evaluator.pool()),
                   std::invalid_argument);
      continue;
    }
    const LogitAttribution parts = attribute_logit(network, trace, all, answer, evaluator.pool());
    double sum = parts.embedding + parts.biases + parts.heads.cast<double>().sum();
    for (const double mlp : parts.mlps) sum += mlp;
    EXPECT_NEAR(sum, answer_with(network, all, answer), 1e-4);
    EXPECT_NEAR(parts.logit, sum, 1e-6);
  }
}

TEST(AnswerDifference, OfTokensThatThereAreNotIsRefused) {
  PortableRandom random(3);
  const Network network = random_network({}, random);
  const auto complaint_of = [&](const Answer& answer) {
    try {
      knock_out_map(network, kTarget, {}, answer, 1);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(complaint_of({7, 10, 10}), "");
  EXPECT_THAT(complaint_of({8, 2}), HasSubstr("no row 8; the text has 8"));
  EXPECT_THAT(complaint_of({7, 11}), HasSubstr("no token 11; the last is 10"));
  EXPECT_THAT(complaint_of({7, 1, 12}), HasSubstr("no token 12"));
}

TEST(HeadOutputs, AreThoseOfTheLayerAlone) {
  for (const Network& network : three_networks()) {
    Interventions all = many_interventions();
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kTarget, all);
    for (Index layer = 0; layer < 3; ++layer) {
      const Matrix outputs = head_outputs(network, trace, all, self(layer), evaluator.pool());
      Evaluator one;
      const Trace& stages =
          one.evaluate(layer_problem(network, trace, all, self(layer), evaluator.pool()));
      for (Index head = 0; head < 4; ++head)
        EXPECT_TRUE(all_near(Matrix(outputs.middleCols(head * 6, 6)),
                             *stages.heads[static_cast<size_t>(head)].head_output, 1e-5))
            << layer << ", " << head;
    }
  }
}

// What patching_map() should give, one head at a time.
Matrix patched_one_by_one(const Network& network, const Interventions& interventions,
                          const NetworkTrace& source, const Interventions& of_source,
                          const Answer& answer) {
  Matrix map(3, 4);
  NetworkEvaluator pools;
  const float default_value = answer_with(network, interventions, answer);
  for (Index i = 0; i < map.size(); ++i) {
    const LayerId at = self(i / 4);
    Evaluator one;
    const Trace& stages = one.evaluate(layer_problem(network, source, of_source, at, pools.pool()));
    Interventions patched = interventions;
    std::erase_if(patched.patches,
                  [&](const auto& patch) { return patch.at == at && patch.head == i % 4; });
    patched.patches.push_back(
        {at, i % 4, Stage::kHeadOutput, stages.heads[static_cast<size_t>(i % 4)].head_output});
    map(i / 4, i % 4) = answer_with(network, patched, answer) - default_value;
  }
  return map;
}

TEST(PatchingMap, IsTheDifferenceThatEachHeadPatchMakes) {
  for (const Network& network : three_networks()) {
    for (const Interventions& interventions : {Interventions(), many_interventions()}) {
      const Interventions of_source{.gains = {{self(0), 1, 2}}};
      NetworkEvaluator source;
      const NetworkTrace& trace = source.evaluate(network, kOther, of_source);
      for (const Answer& answer : {Answer{7, 2}, Answer{4, 2, 8}}) {
        const Matrix map = patching_map(network, kTarget, interventions, answer, {trace, of_source},
                                        Sublayer::kSelf, 2);
        EXPECT_TRUE(all_near(
            map, patched_one_by_one(network, interventions, trace, of_source, answer), 1e-4));
        EXPECT_GT(map.cwiseAbs().minCoeff(), 0);
      }
    }
  }
}

TEST(PatchingMap, FromTheSameTextChangesNothing) {
  for (const Network& network : three_networks()) {
    const Interventions all = many_interventions();
    NetworkEvaluator source;
    const NetworkTrace& trace = source.evaluate(network, kTarget, all);
    const Matrix map =
        patching_map(network, kTarget, all, {7, 2}, {trace, all}, Sublayer::kSelf, 1);
    EXPECT_TRUE(all_near(map, Matrix(Matrix::Zero(3, 4)), 1e-5));
  }
}

TEST(PatchingMap, IsRefusedFromATextOfAnotherLength) {
  PortableRandom random(3);
  const Network network = random_network({}, random);
  NetworkEvaluator source;
  const NetworkTrace& trace = source.evaluate(network, {{1, 2, 3}, {}, {}});
  try {
    patching_map(network, kTarget, {}, {7, 2}, {trace, {}}, Sublayer::kSelf, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("8 and 3 tokens"));
  }
}

// Many heads, so that they are computed in groups.
Network many_heads() {
  PortableRandom random(17);
  NetworkSizes sizes;
  sizes.layers = 12, sizes.heads = sizes.kv_heads = 16, sizes.head_dim = 2;
  return random_network(sizes, random);
}

TEST(HeadSweep, GivesTheNumbersOfTheMapFromTheLastLayerOn) {
  const Network network = many_heads();
  NetworkEvaluator evaluator(2);
  const Interventions none;
  const NetworkTrace& trace = evaluator.evaluate(network, kTarget, none);
  const AskedPass pass{network, kTarget, none, trace, {6, 2, 3}};
  HeadSweep sweep(pass, Sublayer::kSelf, evaluator.pool());
  const Matrix map = knock_out_map(network, kTarget, none, pass.answer, 2);
  EXPECT_TRUE(sweep.changes().array().isNaN().all());
  int steps = 0;
  Index unknown = 12 * 16;
  while (!sweep.done()) {
    sweep.step();
    const auto nan = sweep.changes().array().isNaN();
    EXPECT_LT(nan.count(), unknown) << "a step brings numbers";
    unknown = nan.count();
    const RowVector flat = sweep.changes().reshaped<Eigen::RowMajor>().transpose();
    EXPECT_TRUE(flat.head(unknown).array().isNaN().all()) << "later layers come first";
    ++steps;
  }
  EXPECT_GT(steps, 1);
  EXPECT_EQ(sweep.work_done(), sweep.work());
  EXPECT_EQ(sweep.changes(), map);
}

TEST(HeadSweep, AHeadThatIsNotHeardChangesNothing) {
  for (const Network& network : three_networks()) {
    Interventions interventions;
    interventions.gains = {{self(0), 1, 1, true}, {self(2), 0, 1, false, true}};
    const Matrix changes = knock_out_map(network, kTarget, interventions, {7, 3}, 2);
    EXPECT_EQ(changes(0, 1), 0) << "muted";
    for (Index head = 1; head < changes.cols(); ++head)
      EXPECT_EQ(changes(2, head), 0) << "another one is solo";
    EXPECT_NE(changes(2, 0), 0);
    EXPECT_NE(changes(0, 0), 0);
  }
}

TEST(HeadSweep, IsStoppedByAWatchAndGoesOn) {
  const Network network = many_heads();
  NetworkEvaluator evaluator;
  const Interventions none;
  const NetworkTrace& trace = evaluator.evaluate(network, kTarget, none);
  const AskedPass pass{network, kTarget, none, trace, {6, 2}};
  HeadSweep sweep(pass, Sublayer::kSelf, evaluator.pool());
  WorkWatch watch;
  sweep.step(&watch);
  const Matrix before = sweep.changes();
  watch.stop();
  EXPECT_THROW(sweep.step(&watch), WorkStopped);
  EXPECT_EQ(sweep.changes().array().isNaN().count(), before.array().isNaN().count());
  watch.reset();
  while (!sweep.done()) sweep.step(&watch);
  EXPECT_EQ(sweep.changes(), knock_out_map(network, kTarget, none, pass.answer, 1));
}

}  // namespace
}  // namespace attention::test
