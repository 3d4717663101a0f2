#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layer/evaluator.h"
#include "core/network/attribution.h"
#include "core/network/head_labels.h"
#include "core/network/layer_problem.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_network.h"

namespace attention::test {
namespace {

using network::Activation;
using network::Answer;
using network::attention_rollout;
using network::attribute_logit;
using network::HeadScoreMeter;
using network::HeadScores;
using network::Interventions;
using network::knock_out_map;
using network::layer_problem;
using network::LayerId;
using network::logit_lens;
using network::LogitAttribution;
using network::logits;
using network::Mlp;
using network::Network;
using network::NetworkEvaluator;
using network::NetworkTrace;
using network::NormType;
using network::repeated_tokens;
using network::StackTrace;
using network::StoredMatrix;
using network::Sublayer;
using network::Tokens;
using ::testing::HasSubstr;

const std::vector<std::uint32_t> kIds = {3, 1, 4, 1, 5, 9, 2, 6};

std::vector<Network> networks() {
  PortableRandom random(31);
  return {random_network({}, random),         random_rotary_network({}, random),
          random_experts_network({}, random), random_normed_network({}, random),
          random_sinks_network({}, random),   random_jointly_normed_network({}, random),
          random_latent_network({}, random),  random_linked_network({}, random),
          random_distance_network({}, random)};
}

Interventions some_interventions() {
  Interventions all;
  all.gains = {{{Sublayer::kSelf, 1}, 2, 0.5f}};
  all.overrides = {{{Sublayer::kSelf, 1}, {Stage::kWeights, 1, 4, 2, 0.75f}},
                   {{Sublayer::kSelf, 1}, {Stage::kMaskedScores, 0, 3, 1, 2.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kScaledScores, 2, 5, 2, 3.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kQ, 1, 5, 3, 1.5f}},
                   {{Sublayer::kSelf, 1}, {Stage::kK, 2, 2, 4, -2.5f}},
                   {{Sublayer::kSelf, 1}, {Stage::kV, 0, 3, 1, 4.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kNormedQ, 0, 6, 0, 2.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kNormedK, 2, 4, 1, -2.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kRotatedQ, 2, 7, 2, 1.75f}},
                   {{Sublayer::kSelf, 1}, {Stage::kRotatedK, 0, 0, 0, -1.25f}},
                   {{Sublayer::kSelf, 1}, {Stage::kCappedScores, 1, 7, 1, 3.5f}},
                   {{Sublayer::kSelf, 1}, {Stage::kX, 0, 5, 9, 2.5f}},
                   {{Sublayer::kSelf, 1}, {Stage::kDroppedWeights, 2, 6, 3, 1.25f}},
                   {{Sublayer::kSelf, 1}, {Stage::kConcat, 0, 6, 7, -3.0f}},
                   {{Sublayer::kSelf, 1}, {Stage::kOutput, 0, 6, 5, 2.25f}}};
  all.patches = {{{Sublayer::kSelf, 1}, 3, Stage::kHeadOutput, SharedMatrix(Matrix::Ones(8, 6))}};
  return all;
}

TEST(LayerProblem, HasTheWeightsOfTheForwardPass) {
  for (const Network& network : networks()) {
    for (const Interventions& interventions : {Interventions(), some_interventions()}) {
      NetworkEvaluator evaluator;
      const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}}, interventions);
      for (Index layer = 0; layer < 3; ++layer) {
        const LayerId at{Sublayer::kSelf, layer};
        Evaluator one;
        const Trace& stages =
            one.evaluate(layer_problem(network, trace, interventions, at, evaluator.pool()));
        for (Index head = 0; head < 4; ++head)
          EXPECT_TRUE(all_near(*stages.heads[static_cast<size_t>(head)].weights,
                               Matrix(trace.stack.head_weights(layer, head)), 1e-6))
              << "layer " << layer << ", head " << head;
      }
    }
  }
}

// A layer that a Problem cannot express is refused rather than shown wrongly.
TEST(LayerProblem, IsRefusedWhereQueriesAndKeysAreNormalisedDifferently) {
  const auto complaint_of = [](const Network& network) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}});
    try {
      layer_problem(network, trace, {}, {Sublayer::kSelf, 0}, evaluator.pool());
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  PortableRandom random(9);
  const Network normed = random_normed_network({}, random);
  EXPECT_EQ(complaint_of(normed), "");
  Network one = normed, other = normed;
  one.stack.blocks[0].attention.key_norm.reset();
  EXPECT_THAT(complaint_of(one), HasSubstr("not normalised alike"));
  other.stack.blocks[0].attention.key_norm->type = NormType::kLayer;
  EXPECT_THAT(complaint_of(other), HasSubstr("root mean square"));
}

// The layer's output plus its input is what the MLP reads.
TEST(LayerProblem, HasTheOutputOfTheForwardPass) {
  PortableRandom random(5);
  Network network = random_network({}, random);
  const Mlp silent{std::nullopt,
                   {StoredMatrix(SharedMatrix(Matrix::Zero(16, 1))), {}},
                   {StoredMatrix(SharedMatrix(Matrix::Zero(1, 16))), {}},
                   Activation::kRelu};
  for (attention::network::Block& block : network.stack.blocks) block.mlp = silent;
  NetworkEvaluator evaluator;
  const Interventions interventions = some_interventions();
  const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}}, interventions);
  Evaluator one;
  const Trace& stages = one.evaluate(
      layer_problem(network, trace, interventions, {Sublayer::kSelf, 1}, evaluator.pool()));
  const Matrix added = *trace.stack.blocks[2].input - *trace.stack.blocks[1].input;
  EXPECT_TRUE(all_near(*stages.output, added, 1e-5));
}

TEST(LogitLens, EndsWithTheLogits) {
  for (const Network& network : networks()) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}});
    const Matrix lens = logit_lens(network, trace, 5, evaluator.pool());
    ASSERT_EQ(lens.rows(), 4);
    const Matrix expected = logits(network, trace.stack.final.row(5), evaluator.pool());
    EXPECT_TRUE(all_near(Matrix(lens.row(3)), expected, 1e-5));
    EXPECT_FALSE(all_near(Matrix(lens.row(2)), expected, 1e-2));
  }
}

TEST(LogitAttribution, SumsToTheLogit) {
  for (const Network& network : networks()) {
    if (network.stack.embedding.layer_inputs) continue;           // it is no sum
    if (network.stack.blocks.back().added_convolution) continue;  // which a norm follows
    for (const Interventions& interventions : {Interventions(), some_interventions()}) {
      NetworkEvaluator evaluator;
      const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}}, interventions);
      const LogitAttribution parts =
          attribute_logit(network, trace, interventions, {6, 4}, evaluator.pool());
      double sum = parts.embedding + parts.biases + parts.heads.cast<double>().sum();
      for (const double mlp : parts.mlps) sum += mlp;
      const Matrix all = logits(network, trace.stack.final.row(6), evaluator.pool());
      EXPECT_NEAR(parts.logit, all(0, 4), 1e-4);
      EXPECT_NEAR(sum, all(0, 4), 1e-4);
    }
  }
}

// Without the final norm a head's part is what is lost with it, but for what later layers make of
// it: exactly so in the last layer without an MLP.
TEST(LogitAttribution, IsWhatTheAnswerLosesWithAHeadOfTheLastLayer) {
  PortableRandom random(8);
  Network network = random_network({}, random);
  network.stack.final_norm.reset();
  network.stack.blocks.back().mlp.down.W = StoredMatrix(SharedMatrix(Matrix::Zero(20, 16)));
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}});
  const Answer answer{7, 3};
  const LogitAttribution parts = attribute_logit(network, trace, {}, answer, evaluator.pool());
  const Matrix lost = knock_out_map(network, {kIds, {}, {}}, {}, answer, 1);
  EXPECT_TRUE(all_near(Matrix(-parts.heads.row(2)), Matrix(lost.row(2)), 1e-4));
}

// What overrides add to the output of attention is nothing that a head or an MLP wrote.
TEST(LogitAttribution, CountsOverriddenOutputsAmongTheBiases) {
  PortableRandom random(8);
  Network network = random_network({}, random);
  network.stack.final_norm.reset();
  for (attention::network::Block& block : network.stack.blocks)
    block.mlp.down.W = StoredMatrix(SharedMatrix(Matrix::Zero(20, 16)));
  NetworkEvaluator evaluator;
  const Answer answer{6, 3};
  const auto parts_with = [&](const Interventions& all) {
    return attribute_logit(network, evaluator.evaluate(network, {kIds, {}, {}}, all), all, answer,
                           evaluator.pool());
  };
  const LogitAttribution default_value = parts_with({});
  const Matrix read_out = network.read_out->tokens.W.values();
  for (Index layer = 0; layer < 3; ++layer) {
    const LayerId at{Sublayer::kSelf, layer};
    evaluator.evaluate(network, {kIds, {}, {}});
    const Matrix output =
        *Evaluator()
             .evaluate(layer_problem(network, evaluator.trace(), {}, at, evaluator.pool()))
             .output;
    const LogitAttribution parts =
        parts_with({.overrides = {{at, {Stage::kOutput, 0, 6, 5, 2.25f}},
                                  {at, {Stage::kOutput, 0, 6, 11, -1.5f}},
                                  {at, {Stage::kOutput, 0, 2, 5, 9.0f}}}});
    const float added =
        (2.25f - output(6, 5)) * read_out(5, 3) + (-1.5f - output(6, 11)) * read_out(11, 3);
    EXPECT_NEAR(parts.biases - default_value.biases, added, 1e-5) << "layer " << layer;
    EXPECT_TRUE(all_near(Matrix(parts.heads.topRows(layer + 1)),
                         Matrix(default_value.heads.topRows(layer + 1)), 1e-5));
    for (std::size_t mlp = 0; mlp < 3; ++mlp)
      EXPECT_NEAR(parts.mlps[mlp], default_value.mlps[mlp], 1e-5);
  }
}

TEST(LogitAttribution, IsRefusedWhereTheLogitIsNoSum) {
  PortableRandom random(8);
  Network network = random_network({}, random);
  network.read_out->cap = 30;
  NetworkEvaluator evaluator;
  const NetworkTrace& trace = evaluator.evaluate(network, {kIds, {}, {}});
  EXPECT_THROW(attribute_logit(network, trace, {}, {0, 0}, evaluator.pool()),
               std::invalid_argument);
}

TEST(KnockOutMap, IsTheDifferenceThatMutingEachHeadMakes) {
  for (const Network& network : networks()) {
    const Answer answer{7, 2};
    const auto logit = [&](const Interventions& interventions) {
      NetworkEvaluator fresh;
      const NetworkTrace& trace = fresh.evaluate(network, {kIds, {}, {}}, interventions);
      return logits(network, trace.stack.final.row(answer.row), fresh.pool())(0, answer.token);
    };
    Interventions all = some_interventions();
    all.stream = {{{Sublayer::kSelf, 2}, 3, 1, 0.5f}};
    for (const Interventions& interventions : {Interventions(), all}) {
      const Matrix map = knock_out_map(network, {kIds, {}, {}}, interventions, answer, 2);
      ASSERT_EQ(map.rows(), 3);
      ASSERT_EQ(map.cols(), 4);
      for (Index i = 0; i < map.size(); ++i) {
        const LayerId at{Sublayer::kSelf, i / 4};
        Interventions muted = interventions;
        std::erase_if(muted.gains, [&](const auto& g) { return g.at == at && g.head == i % 4; });
        muted.gains.push_back({at, i % 4, 0});
        EXPECT_NEAR(map(i / 4, i % 4), logit(muted) - logit(interventions), 1e-4) << i;
      }
    }
  }
}

TEST(HeadGain, SoloMutesTheOtherHeadsOfItsLayer) {
  PortableRandom random(4);
  const Network network = random_network({}, random);
  const LayerId at{Sublayer::kSelf, 1};
  const auto last_with = [&](const Interventions& interventions) {
    NetworkEvaluator evaluator;
    return Matrix(*evaluator.evaluate(network, {kIds, {}, {}}, interventions).stack.last);
  };
  const Matrix solo = last_with({.gains = {{at, 2, 0.5f, false, true}}});
  const Matrix others_muted =
      last_with({.gains = {{at, 0, 0}, {at, 1, 3, true}, {at, 2, 0.5f}, {at, 3, 0}}});
  EXPECT_EQ(solo, others_muted);
  const Matrix none = last_with({.gains = {{at, 2, 0.5f, true, true}}});
  EXPECT_EQ(none, last_with({.gains = {{at, 0, 0}, {at, 1, 0}, {at, 2, 0}, {at, 3, 0}}}));
}

// Of the last layer only the answer's row is computed, and heads go through the others in groups,
// of which these need two.
TEST(KnockOutMap, OfARowInTheMiddleOfManyHeadsIsTheDifferenceToo) {
  PortableRandom random(17);
  NetworkSizes sizes;
  sizes.layers = 6, sizes.heads = sizes.kv_heads = 16, sizes.head_dim = 2;
  const Network network = random_network(sizes, random);
  const Tokens tokens{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, {}, {}};
  const Matrix map = knock_out_map(network, tokens, {}, {5, 2}, 2);
  NetworkEvaluator evaluator;
  const auto logit = [&](const Interventions& interventions) {
    const NetworkTrace& trace = evaluator.evaluate(network, tokens, interventions);
    return logits(network, trace.stack.final.row(5), evaluator.pool())(0, 2);
  };
  const float default_value = logit({});
  for (Index i = 0; i < map.size(); ++i)
    EXPECT_NEAR(map(i / 16, i % 16), logit({.gains = {{{{}, i / 16}, i % 16, 0}}}) - default_value,
                1e-4)
        << i;
}

TEST(KnockOutMap, OfAHeadThatIsSoloDoesNotBringBackTheOthers) {
  PortableRandom random(4);
  const Network network = random_network({}, random);
  const LayerId at{Sublayer::kSelf, 1};
  const Interventions solo{.gains = {{at, 2, 1, false, true}}};
  const Matrix map = knock_out_map(network, {kIds, {}, {}}, solo, {7, 2}, 1);
  EXPECT_NEAR(map(1, 0), 0, 1e-5) << "it was muted already";
  EXPECT_GT(std::abs(map(1, 2)), 1e-3);
}

TEST(AttentionRollout, HasRowsThatSumToOneAndIsCausal) {
  PortableRandom random(2);
  const Network network = random_network({}, random);
  NetworkEvaluator evaluator;
  const Matrix rollout = attention_rollout(evaluator.evaluate(network, {kIds, {}, {}}).stack, 4);
  for (Index row = 0; row < rollout.rows(); ++row) {
    EXPECT_NEAR(rollout.row(row).sum(), 1, 1e-5);
    EXPECT_EQ(rollout.row(row).tail(rollout.cols() - row - 1).cwiseAbs().sum(), 0);
  }
  EXPECT_FLOAT_EQ(rollout(0, 0), 1);
}

TEST(HeadScores, NameTheHeadThatDoesNothingElse) {
  const std::vector<std::uint32_t> ids = {7, 8, 9, 7, 8, 9};
  const auto head = [&](auto key_of) {
    Matrix weights = Matrix::Zero(6, 6);
    for (Index row = 0; row < 6; ++row) weights(row, key_of(row)) = 1;
    return weights;
  };
  Matrix all(24, 6);
  all << head([](Index row) { return std::max<Index>(0, row - 1); }), head([](Index) { return 0; }),
      head([](Index row) { return row < 3 ? row : row - 3; }),
      head([](Index row) { return row < 3 ? row : row - 2; });
  StackTrace stack;
  stack.blocks.push_back({SharedMatrix(Matrix(6, 2)), SharedMatrix(all), {}});
  stack.last = SharedMatrix(Matrix(6, 2));
  HeadScoreMeter meter;
  meter.add(stack, ids, 4);
  const std::vector<HeadScores> scores = meter.scores();
  EXPECT_FLOAT_EQ(scores[0].previous, 1);
  EXPECT_FLOAT_EQ(scores[1].first, 1);
  EXPECT_FLOAT_EQ(scores[2].duplicate, 1);
  EXPECT_FLOAT_EQ(scores[3].induction, 1);
  EXPECT_FLOAT_EQ(scores[2].induction, 0);
}

TEST(RepeatedTokens, AreTheSameTwice) {
  const std::vector<std::uint32_t> ids = repeated_tokens(20, 1000, 5);
  ASSERT_EQ(ids.size(), 40U);
  EXPECT_TRUE(std::equal(ids.begin(), ids.begin() + 20, ids.begin() + 20));
  EXPECT_NE(ids, repeated_tokens(20, 1000, 6));
}

TEST(NetworkEvaluator, ComputesOnlyWhatDependsOnAnEdit) {
  PortableRandom random(12);
  const Network network = random_network({}, random);
  NetworkEvaluator evaluator;
  evaluator.evaluate(network, {kIds, {}, {}});
  EXPECT_EQ(evaluator.report().first_layer, 0);
  Interventions muted;
  muted.overrides = {{{Sublayer::kSelf, 2}, {Stage::kWeights, 0, 6, 1, 1.0f}}};
  evaluator.evaluate(network, {kIds, {}, {}}, muted);
  EXPECT_EQ(evaluator.report().first_layer, 2);
  EXPECT_EQ(evaluator.report().first_row, 6);
  evaluator.evaluate(network, {kIds, {}, {}}, muted);
  EXPECT_EQ(evaluator.report().first_layer, 3) << "nothing was edited";
}

TEST(NetworkEvaluator, SharesWithACopyOfItsTraceWhatAnEditLeaves) {
  PortableRandom random(12);
  const Network network = random_network({}, random);
  NetworkEvaluator evaluator;
  const NetworkTrace copy = evaluator.evaluate(network, {kIds, {}, {}});
  const Matrix weights = *copy.stack.blocks[2].weights, last = *copy.stack.last;
  Interventions edited;
  edited.overrides = {{{Sublayer::kSelf, 2}, {Stage::kWeights, 0, 6, 1, 1.0f}}};
  const NetworkTrace& now = evaluator.evaluate(network, {kIds, {}, {}}, edited);
  EXPECT_TRUE(now.stack.blocks[1].weights.same_as(copy.stack.blocks[1].weights));
  EXPECT_TRUE(now.stack.blocks[2].input.same_as(copy.stack.blocks[2].input));
  EXPECT_EQ(*copy.stack.blocks[2].weights, weights);
  EXPECT_EQ(*copy.stack.last, last);
  EXPECT_NE(*now.stack.last, last);
}

TEST(NetworkEvaluator, SaysWhatIsWrongWithItsInput) {
  PortableRandom random(12);
  const Network network = random_network({}, random);
  const auto complaint_of = [&](const Tokens& tokens, const Interventions& interventions) {
    try {
      NetworkEvaluator().evaluate(network, tokens, interventions);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(complaint_of({}, {}), HasSubstr("no tokens"));
  EXPECT_THAT(complaint_of({{11}, {}, {}}, {}), HasSubstr("no token id 11; the last is 10"));
  EXPECT_THAT(complaint_of({std::vector<std::uint32_t>(13), {}, {}}, {}),
              HasSubstr("13 tokens, but the network has only 12"));
  EXPECT_THAT(complaint_of({kIds, {}, {}}, {.gains = {{{Sublayer::kSelf, 3}, 0, 0}}}),
              HasSubstr("no head L3H0"));
  EXPECT_THAT(complaint_of({kIds, {}, {}}, {.gains = {{{Sublayer::kCross, 0}, 0, 0}}}),
              HasSubstr("no head L0H0 of the cross-attention"));
  EXPECT_THAT(complaint_of({kIds, {}, {}}, {.overrides = {{{}, {Stage::kConcat, 1, 0, 0, 1}}}}),
              HasSubstr("concat is not of L0H1 alone: it is overridden in L0H0"));
  const auto complaint_of_stage = [&](Stage stage) {
    return complaint_of({kIds, {}, {}}, {.overrides = {{{}, {stage, 0, 0, 0, 1}}}});
  };
  EXPECT_EQ(complaint_of_stage(Stage::kX), "");
  EXPECT_EQ(complaint_of_stage(Stage::kDroppedWeights), "");
  for (const Stage stage : {Stage::kResidual, Stage::kLayerNorm})
    EXPECT_THAT(complaint_of_stage(stage),
                HasSubstr("L0H0: " + std::string(stage_name(stage)) +
                          " cannot be overridden in a layer of a model: what is added to output"));
  for (const Stage stage : {Stage::kEmbedding, Stage::kPosition})
    EXPECT_THAT(complaint_of_stage(stage), HasSubstr("residual stream, normalised, which is X"));
  for (const Stage stage : {Stage::kEmbeddingKv, Stage::kPositionKv})
    EXPECT_THAT(complaint_of_stage(stage), HasSubstr("the encoder's output, which is X_kv"));
  EXPECT_THAT(complaint_of_stage(Stage::kXKv), HasSubstr("keys and values are computed from X"));
  EXPECT_THAT(complaint_of({kIds, {}, {}}, {.overrides = {{{}, {Stage::kX, 0, 0, 16, 1}}}}),
              HasSubstr("it is 8 × 16"));
  EXPECT_THAT(complaint_of({kIds, {}, {}}, {.gains = {{{}, 0, 0.5f}, {{}, 0, 2}}}),
              HasSubstr("two gains"));
}

}  // namespace
}  // namespace attention::test
