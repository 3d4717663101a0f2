// What expressions say about trained models, against the core or a second way to the same number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/document/model/shown_layer.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_edits.h"
#include "app/tests/lessons/live_model.h"
#include "core/network/attribution.h"
#include "core/network/head_sweep.h"

namespace lab::samples {
namespace {

using attention::Index;
using attention::RowVector;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using ::testing::DoubleNear;
using ::testing::HasSubstr;

constexpr double kClose = 2e-4;

// The logits of the last row of a run of its own.
RowVector logits_with(const ModelDocument& model, const Interventions& interventions) {
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(model.network, tokens_of(model), interventions);
  const Index last = trace.stack.n() - 1;
  return logits(model.network, attention::MatrixView(trace.stack.final).middleRows(last, 1),
                evaluator.pool())
      .row(0);
}

double share_of(const RowVector& logits, std::uint32_t token) {
  double total = 0;
  for (Index i = 0; i < logits.size(); ++i)
    total += std::exp(static_cast<double>(logits(i) - logits(token)));
  return 1 / total;
}

class Letters : public ::testing::Test {
 protected:
  const ModelDocument& model() const { return *now.document().layer.model; }
  static std::uint32_t id(char letter) { return static_cast<std::uint32_t>(letter - 'a'); }

  LiveModel now{"induction", "planetsplan"};
};

TEST_F(Letters, PredictionsAreTheSoftmaxOfTheLogits) {
  const RowVector logits = logits_with(model(), {});
  EXPECT_NEAR(now.number("logit[last, e]"), logits(id('e')), kClose);
  EXPECT_NEAR(now.number("logit[last, e - p]"), logits(id('e')) - logits(id('p')), kClose);
  EXPECT_NEAR(now.number("probability[last, e]"), share_of(logits, id('e')), kClose);
  EXPECT_NEAR(now.number("probability[10, p]"), share_of(logits, id('p')), kClose);
  EXPECT_EQ(now.text("likeliest[last]"), "e");
  EXPECT_EQ(now.number("rank[last, e]"), 1);
  Index before_p = 0;
  for (Index i = 0; i < logits.size(); ++i) before_p += logits(i) > logits(id('p')) ? 1 : 0;
  EXPECT_EQ(now.number("rank[last, p]"), static_cast<double>(before_p + 1));
  EXPECT_EQ(now.number("count(predictions[last])"), 10);
  EXPECT_NEAR(now.number("max(predictions[last])"), now.number("probability[last, e]"), 1e-7);
}

TEST_F(Letters, TheLensReadsOutTheStreamAfterALayer) {
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(model().network, tokens_of(model()));
  const attention::Matrix lens = logit_lens(model().network, trace, 10, evaluator.pool());
  EXPECT_NEAR(now.number("logit[L0, last, n]"), lens(1, id('n')), kClose);
  EXPECT_NEAR(now.number("probability[L0, last, n]"), share_of(lens.row(1), id('n')), kClose);
  EXPECT_EQ(now.text("likeliest[L0, last]"), "n") << "before the copying heads it only knows n";
  EXPECT_NEAR(now.number("logit[L1, last, e]"), now.number("logit[last, e]"), 1e-6)
      << "after the last layer it is the answer";
  EXPECT_EQ(now.number("count(lens[last])"), 2);
}

TEST_F(Letters, AKnockOutIsWhatMutingTheHeadDoes) {
  const float with = logits_with(model(), {})(id('e'));
  for (const auto& [name, layer, head] :
       {std::tuple("L0H0", 0, 0), std::tuple("L0H3", 0, 3), std::tuple("L1H2", 1, 2)}) {
    const LayerId at{Sublayer::kSelf, layer};
    const Interventions mute{.gains = {{.at = at, .head = head, .mute = true}}};
    const float without = logits_with(model(), mute)(id('e'));
    EXPECT_NEAR(now.number("knock_out[" + std::string(name) + ", last, e]"), without - with, kClose)
        << name;
  }
  EXPECT_EQ(now.text("head(smallest(knock_out[:, last, e]))"), "L0H0");
  EXPECT_NEAR(now.number("knock_out[L1H2, last, e - p]"),
              now.number("knock_out[L1H2, last, e] - knock_out[L1H2, last, p]"), kClose);
}

TEST_F(Letters, DirectPartsAddUpToTheLogit) {
  EXPECT_NEAR(now.number("sum(direct[:, last, e]) + direct[embedding, last, e] + "
                         "direct[MLP0, last, e] + direct[MLP1, last, e] + direct[biases, last, e]"),
              now.number("logit[last, e]"), kClose);
  EXPECT_EQ(now.text("head(largest(direct[:, last, e]))"), "L1H2");
}

TEST_F(Letters, PatchingPutsTheOutputOfAnotherRunIn) {
  LiveModel other("induction", "planedsplan");
  const ModelDocument& source = *other.document().layer.model;
  const LayerId at{Sublayer::kSelf, 0};
  NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(source.network, tokens_of(source));
  const attention::Matrix outputs = head_outputs(source.network, trace, {}, at, evaluator.pool());
  const Index width = source.network.stack.blocks[0].attention.head_dim;
  const HeadPatch patch{
      at, 2, attention::Stage::kHeadOutput,
      attention::SharedMatrix(attention::Matrix(outputs.middleCols(2 * width, width)))};
  const float changed = logits_with(model(), {.patches = {patch}})(id('e'));
  const float before = logits_with(model(), {})(id('e'));
  EXPECT_NEAR(now.number("patching[L0H2, last, e, \"planedsplan\"]"), changed - before, kClose);
}

TEST_F(Letters, StagesOfEveryLayerAreThoseOfTheForwardPass) {
  const auto& stack = now.live().network->stack;
  EXPECT_NEAR(now.number("weights[L0H0, e, 3]"), stack.head_weights(0, 0)(4, 3), 1e-5);
  EXPECT_NEAR(now.number("weights[L1H3, last, e]"), stack.head_weights(1, 3)(10, 4), 1e-5);
  EXPECT_EQ(now.text("column(largest(weights[L1H3, last]))"), "e");
  EXPECT_EQ(now.text("column(largest(weights[L0H0, e]))"), "n");
  EXPECT_NEAR(now.number("max(softmax(scaled_scores[L1H3, last]))"),
              now.number("max(weights[L1H3, last])"), 1e-4);
  EXPECT_NEAR(now.number("dot(Q[L1H3, last], K[L1H3, e])"), now.number("scores[L1H3, last, e]"),
              1e-3);
  EXPECT_NEAR(now.number("dot(X[L1, last], W_Q[L1H3, :, 0]) + b_Q[L1H3, 0]"),
              now.number("Q[L1H3, last, 0]"), 1e-3);
  EXPECT_EQ(now.number("count(weights[:, last, e])"), 8);
  EXPECT_EQ(now.text("head(largest(weights[:, last, e]))"), "L1H3");
  EXPECT_EQ(now.number("n_layers * n_heads"), 8);
  EXPECT_EQ(now.number("vocabulary"), 26);
  EXPECT_EQ(now.text("token[4]"), "e");
}

TEST_F(Letters, ScoresOnRandomTokensFindTheTwoHeads) {
  EXPECT_GT(now.number("previous_token[L0H0]"), 0.9);
  EXPECT_GT(now.number("induction[L1H3]"), 0.9);
  EXPECT_EQ(now.text("head(largest(induction[:]))"), "L1H3");
  EXPECT_EQ(now.text("head(largest(previous_token[:]))"), "L0H0");
  EXPECT_LT(now.number("duplicate_token[L1H3]"), 0.1);
  EXPECT_LT(now.number("first_token[L0H0]"), 0.1);
}

TEST_F(Letters, BreakOneAndTheOtherStarves) {
  const double sure = now.number("probability[last, e]");
  EXPECT_GT(sure, 0.9);
  EXPECT_GT(now.number("weights[L1H3, last, e]"), 0.95);
  now.edit("mute L0H0");
  EXPECT_EQ(now.number("gain[L0H0]"), 0);
  EXPECT_EQ(now.number("gain[L1H3]"), 1);
  EXPECT_LT(now.number("probability[last, e]"), 0.1);
  EXPECT_LT(now.number("weights[L1H3, last, e]"), 0.05);
  EXPECT_LT(now.number("induction[L1H3]"), 0.1);
  EXPECT_NEAR(now.number("unedited(probability[last, e])"), sure, 1e-6);
  EXPECT_GT(now.number("unedited(induction[L1H3])"), 0.9);
}

TEST_F(Letters, BreakTheOtherAndTheFirstFeelsNothing) {
  const double before = now.number("weights[L0H0, e, 3]");
  now.edit("mute L1H3");
  EXPECT_EQ(now.number("weights[L0H0, e, 3]"), before);
  EXPECT_GT(now.number("probability[last, e]"), 0.9) << "two others copy as well";
  now.edit("mute L1H0");
  now.edit("mute L1H2");
  EXPECT_LT(now.number("probability[last, e]"), 0.1);
}

TEST_F(Letters, EditsOfAStepAreThoseOfTheModel) {
  now.edit("gain L1H2 0.5");
  EXPECT_EQ(now.number("gain[L1H2]"), 0.5);
  now.edit("text planetsplane");
  EXPECT_EQ(now.text("likeliest[last]"), "t");
  now.edit(
      R"({"do":"set_override","layer":"1","head":3,"stage":"weights","row":11,"col":0,"value":1})");
  EXPECT_EQ(now.number("weights[L1H3, last, 0]"), 1);
  EXPECT_EQ(now.document().layer.at.layer, 0) << "another layer was edited than the one shown";
}

TEST_F(Letters, WhatDoesNotExistIsNamed) {
  EXPECT_THAT(now.error("weights[1, last, e]"), HasSubstr("its heads are L0H0 to L1H3"));
  EXPECT_THAT(now.error("weights[L2H0, last, e]"), HasSubstr("L0H0 to L1H3"));
  EXPECT_THAT(now.error("likeliest[L2, last]"), HasSubstr("the layers are L0 to L1"));
  EXPECT_THAT(now.error("probability[last, mat]"), HasSubstr("no token"));
  EXPECT_THAT(now.error("probability[99, e]"), HasSubstr("the rows are p, l, a"));
  EXPECT_THAT(now.error("probability[last, e - p]"), HasSubstr("one token"));
  EXPECT_THAT(now.error("nonsense[last]"), HasSubstr("besides stages and matrices there are"));
  EXPECT_THAT(now.error("patching[L0H0, last, e, \"abc\"]"), HasSubstr("tokens"));
  EXPECT_THAT(now.error("head(3)"), HasSubstr("expected a cell"));
  const auto by_hand =
      Expression::parse("unedited(seq_len)")->evaluate(LiveDocument("refer").live());
  ASSERT_FALSE(by_hand);
  EXPECT_THAT(by_hand.error().message, HasSubstr("no trained model is open"));
}

TEST(Words, TokensAreNamedAsTheyAreReadOrWithTheirBlank) {
  LiveModel words("words", "The cat sat on the");
  EXPECT_EQ(words.text("likeliest[last]"), "mat");
  EXPECT_EQ(words.number("probability[last, mat]"), words.number("probability[last, ·mat]"));
  EXPECT_EQ(words.number("weights[L2H0, last, cat]"), words.number("weights[L2H0, 4, ·cat]"));
  EXPECT_EQ(words.text("column(largest(weights[L2H0, last]))"), "cat");
  EXPECT_EQ(words.text("head(smallest(knock_out[:, last, mat]))"), "L2H0");
}

}  // namespace
}  // namespace lab::samples
