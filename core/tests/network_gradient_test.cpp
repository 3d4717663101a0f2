// The gradient of a network's answer, against differences of its own forward pass.
#include "core/gradient/network_gradient.h"

#include <gmock/gmock.h>

#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::Answer;
using network::gradient_of_answer;
using network::gradient_of_logits;
using network::gradient_of_stage;
using network::Interventions;
using network::LayerId;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkGradient;
using network::NetworkTrace;
using network::StreamOverride;
using network::Sublayer;
using network::Tokens;

const Tokens kReadText{{3, 1, 4, 1, 5, 9, 2, 6}, {}, {}};
const Answer kAskedAnswer{6, 3, 7};

std::vector<Network> differentiated_networks() {
  PortableRandom random(31);
  return {random_network({}, random),         random_rotary_network({}, random),
          random_experts_network({}, random), random_normed_network({}, random),
          random_sinks_network({}, random),   random_jointly_normed_network({}, random),
          random_latent_network({}, random),  random_linked_network({}, random),
          random_distance_network({}, random)};
}

double asked_answer(const Network& network, const Interventions& interventions,
                    const Answer& answer) {
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kReadText, interventions);
  const Matrix row = trace.stack.final.row(answer.row);
  return logit_of(answer, logits(network, row, evaluator.pool()).row(0));
}

// The quotient of differences by a number of the stream before `layer`, which is replaced.
double stream_quotient(const Network& network, Interventions interventions, Index layer, Index row,
                       Index col, float value) {
  constexpr float kStep = 0.015625f;
  const auto moved = [&](float by) {
    Interventions all = interventions;
    all.stream.push_back({{Sublayer::kSelf, layer}, row, col, value + by});
    return asked_answer(network, all, kAskedAnswer);
  };
  return (moved(kStep) - moved(-kStep)) / (2 * static_cast<double>(kStep));
}

TEST(NetworkGradient, OfTheStreamIsTheQuotientOfDifferences) {
  PortableRandom random(32);
  for (const Network& network : differentiated_networks()) {
    Interventions interventions;
    interventions.gains = {{{Sublayer::kSelf, 1}, 2, 0.5f}, {{Sublayer::kSelf, 2}, 0, 1, true}};
    interventions.overrides = {{{Sublayer::kSelf, 1}, {Stage::kWeights, 1, 5, 2, 0.25f}},
                               {{Sublayer::kSelf, 2}, {Stage::kHeadOutput, 3, 4, 1, 0.75f}}};
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kReadText, interventions);
    const NetworkGradient gradient =
        gradient_of_answer({network, interventions, trace, evaluator.pool()}, kAskedAnswer);
    for (Index layer = 0; layer < 3; ++layer) {
      const Matrix& d = gradient.stack.blocks[static_cast<std::size_t>(layer)].input;
      const Matrix& input = *trace.stack.blocks[static_cast<std::size_t>(layer)].input;
      const double within = 4e-3 * d.cwiseAbs().maxCoeff();
      for (int turn = 0; turn < 20; ++turn) {
        const Index row = random_below(d.rows(), random), col = random_below(d.cols(), random);
        EXPECT_NEAR(d(row, col),
                    stream_quotient(network, interventions, layer, row, col, input(row, col)),
                    within)
            << layer << " " << row << " " << col;
      }
      if (network.stack.blocks.front().attention.causal) {
        EXPECT_EQ(d.row(7).cwiseAbs().maxCoeff(), 0)
            << "the answer does not see what comes after it";
      }
    }
  }
}

TEST(NetworkGradient, NothingFlowsThroughAReplacedNumberOfTheStream) {
  const Network network = differentiated_networks().front();
  Interventions interventions;
  for (Index col = 0; col < network.d_model(); ++col)
    for (Index row = 0; row < 8; ++row)
      interventions.stream.push_back({{Sublayer::kSelf, 2}, row, col, 0.5f});
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, kReadText, interventions);
  const NetworkGradient gradient =
      gradient_of_answer({network, interventions, trace, evaluator.pool()}, kAskedAnswer);
  EXPECT_GT(gradient.stack.blocks[2].input.cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(gradient.stack.blocks[1].input.cwiseAbs().maxCoeff(), 0);
}

TEST(NetworkGradient, OfAllLogitsIsTheSumOfTheirOwn) {
  PortableRandom random(33);
  for (const Network& network : differentiated_networks()) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kReadText);
    const network::DifferentiatedPass pass{network, {}, trace, evaluator.pool()};
    Matrix weights = Matrix::Zero(8, 11);
    weights(2, 5) = 1.5f;
    weights(6, 3) = -0.5f;
    const Matrix together = gradient_of_logits(pass, weights).stack.blocks[0].input;
    const Matrix apart = 1.5f * gradient_of_answer(pass, {2, 5, {}}).stack.blocks[0].input -
                         0.5f * gradient_of_answer(pass, {6, 3, {}}).stack.blocks[0].input;
    EXPECT_TRUE(all_near_relative(together, apart, 1e-5));
  }
}

// A weight in layer 2, moved by the stream before layer 1.
TEST(NetworkGradient, OfAWeightInALayerReachesTheStreamBeforeIt) {
  const LayerId at{Sublayer::kSelf, 2};
  for (const Network& network : differentiated_networks()) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, kReadText);
    const Problem problem = layer_problem(network, trace, {}, at, evaluator.pool());
    const NetworkGradient gradient = gradient_of_stage(
        {network, {}, trace, evaluator.pool()}, at, cell_seed(problem, Stage::kWeights, 1, 6, 2));
    const Matrix& d = gradient.stack.blocks[1].input;
    const Matrix input = *trace.stack.blocks[1].input;
    const auto weight = [&](float by) {
      const Interventions moved{.stream = {{{Sublayer::kSelf, 1}, 4, 3, input(4, 3) + by}}};
      NetworkEvaluator fresh;
      return static_cast<double>(
          fresh.evaluate(network, kReadText, moved).stack.head_weights(2, 1)(6, 2));
    };
    EXPECT_NEAR(d(4, 3), (weight(0.015625f) - weight(-0.015625f)) / 0.03125,
                4e-3 * d.cwiseAbs().maxCoeff());
    EXPECT_EQ(gradient.stack.blocks[2].mlp.down.W.size(), 0) << "the MLP comes after it";
  }
}

}  // namespace
}  // namespace attention::test
