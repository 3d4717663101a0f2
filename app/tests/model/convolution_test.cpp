#include <gmock/gmock.h>

#include <cmath>

#include "app/document/analysis/head_labels.h"
#include "app/document/analysis/model_pass.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_command.h"
#include "app/document/model/shown_layer.h"
#include "app/document/workspace.h"
#include "app/files/opened_model.h"
#include "app/tests/model/support.h"
#include "core/network/attribution.h"
#include "core/network/layer_problem.h"

// LFM2 has convolutions in place of attention in some layers, which are computed and have no heads.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using attention::network::Answer;
using attention::network::Block;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::LogitAttribution;
using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::Sublayer;
using attention::network::Tokens;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSaysNoHeads = "is a convolution: it has no attention, and so no heads";

class Lfm2 : public ::testing::Test {
 protected:
  const Network& network() const { return model_->network; }
  ModelDocument document() const {
    ModelText text;
    text.ids = tokens_.ids;
    return make_model_document(model_, text).value();
  }

  const std::shared_ptr<const Model> model_ = std::make_shared<const Model>(opened_golden("lfm2"));
  const Tokens tokens_ = random_tokens(*model_, 9, 1, 2);
  NetworkEvaluator evaluator_;
  const NetworkTrace& trace_ = evaluator_.evaluate(network(), tokens_);
  const Answer answer_{7, 7, 4};
};

TEST_F(Lfm2, HasHeadsInTheLayersThatAttend) {
  EXPECT_EQ(layer_count(network(), Sublayer::kSelf), 4);
  EXPECT_EQ(head_count(network(), Sublayer::kSelf), 4);
  EXPECT_THAT(attending_layers(network(), Sublayer::kSelf), ElementsAre(1, 3));
  EXPECT_EQ(all_layer_ids(network()).size(), 2U);
  EXPECT_EQ(find_attention(network(), {Sublayer::kSelf, 2}), nullptr);
  EXPECT_EQ(trace_.stack.blocks[2].weights->size(), 0);
}

TEST_F(Lfm2, HasTheKnockOutOfEachHeadThatThereIs) {
  const Matrix map = attention::network::knock_out_map(network(), tokens_, {}, answer_, 1);
  ASSERT_EQ(map.rows(), 4);
  const auto difference = [&](const Interventions& interventions) {
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(network(), tokens_, interventions);
    return logit_of(
        answer_,
        attention::network::logits(network(), trace.stack.final.row(7), evaluator.pool()).row(0));
  };
  const float before = difference({});
  for (const Index layer : {1, 3})
    for (Index head = 0; head < 4; ++head) {
      const Interventions mute{.gains = {{{Sublayer::kSelf, layer}, head, 0}}};
      EXPECT_NEAR(map(layer, head), difference(mute) - before, 1e-4) << layer << " " << head;
      EXPECT_GT(std::abs(map(layer, head)), 1e-4);
    }
  EXPECT_TRUE(map.row(0).array().isNaN().all() && map.row(2).array().isNaN().all());
}

TEST_F(Lfm2, HasALogitThatIsTheSumOfItsParts) {
  const LogitAttribution parts =
      attention::network::attribute_logit(network(), trace_, {}, answer_, evaluator_.pool());
  double sum = parts.embedding + parts.biases;
  for (const double mlp : parts.mlps) sum += mlp;
  for (const double convolution : parts.convolutions) sum += convolution;
  for (const Index layer : {1, 3}) sum += parts.heads.row(layer).cast<double>().sum();
  EXPECT_NEAR(sum, parts.logit, 1e-4);
  ASSERT_EQ(parts.convolutions.size(), 4U);
  EXPECT_NE(parts.convolutions[0], 0);
  EXPECT_EQ(parts.convolutions[1], 0);
  EXPECT_TRUE(parts.heads.row(2).array().isNaN().all());
  // What the convolution adds is what is left without the MLP's part.
  const Matrix& x = *trace_.stack.blocks[2].input;
  const Block& block = network().stack.blocks[2];
  const Matrix y = x + convolution_output(block, x, evaluator_.pool());
  EXPECT_LT((after_mlp(block, x, y, evaluator_.pool()) - *trace_.stack.blocks[3].input)
                .cwiseAbs()
                .maxCoeff(),
            1e-4f);
}

template <typename Call>
std::string thrown_by(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_F(Lfm2, SaysThatAConvolutionHasNothingToShowOrMute) {
  attention::ThreadPool& pool = evaluator_.pool();
  const LayerId first{Sublayer::kSelf, 0};
  EXPECT_THAT(thrown_by([&] { layer_problem(network(), trace_, {}, first, pool); }),
              HasSubstr(kSaysNoHeads));
  EXPECT_THAT(thrown_by([&] { attention_rollout(trace_.stack, 4); }), HasSubstr("convolution"));
  for (const Interventions& one :
       {Interventions{.gains = {{first, 0, 0}}},
        Interventions{.overrides = {{first, {Stage::kWeights, 0, 1, 0, 1}}}}})
    EXPECT_THAT(thrown_by([&] { validate(one, network(), 9, 0); }), HasSubstr(kSaysNoHeads));
  for (const char* line : {R"({"layer":"0","do":"set_head_mix","head":0,"mute":true})",
                           R"({"layer":"2","do":"clear_overrides"})"}) {
    const auto command = model_command_from_json_line(line);
    ASSERT_TRUE(command) << line;
    NetworkEvaluator evaluator;
    const auto applied = apply(document(), *command, evaluator);
    ASSERT_FALSE(applied) << line;
    EXPECT_THAT(applied.error().message, HasSubstr(kSaysNoHeads));
  }
}

TEST_F(Lfm2, OpensAtTheFirstLayerThatAttends) {
  Workspace workspace(open_model_source(golden_path("lfm2", ""), std::nullopt).value().document);
  EXPECT_EQ(workspace.document().layer.at, (LayerId{Sublayer::kSelf, 1}));
  EXPECT_FALSE(workspace.document().layer.pending);
  workspace.queue(intent::GoToLayer{{Sublayer::kSelf, 2}});
  workspace.drain();
  EXPECT_THAT(workspace.message(), HasSubstr(kSaysNoHeads));
  EXPECT_EQ(workspace.document().layer.at.layer, 1);
  workspace.queue(intent::GoToLayer{{Sublayer::kSelf, 3}});
  workspace.drain();
  EXPECT_EQ(workspace.document().layer.at.layer, 3);
  EXPECT_EQ(nearest_layer(network(), {Sublayer::kSelf, 2}).layer, 1);
}

TEST_F(Lfm2, HasMapsWithARowForEachLayer) {
  const std::vector<HeadMap> entropies = mean_entropies(network(), trace_);
  ASSERT_EQ(entropies.size(), 1U);
  EXPECT_TRUE(entropies[0].values.row(0).array().isNaN().all());
  EXPECT_TRUE(entropies[0].values.row(1).allFinite());
  const LabelledHeads labels = labelled_heads(document(), 1);
  ASSERT_EQ(labels.heads.size(), 8U);
  EXPECT_EQ(labels.heads[0].at.at.layer, 1);
  EXPECT_EQ(labels.heads[7].at.at.layer, 3);
}

// A number of the stream before a convolution reaches the rows that its taps reach, and those that
// attend to them.
TEST_F(Lfm2, MixesEachRowWithThoseJustBefore) {
  const Interventions edit{.stream = {{{Sublayer::kSelf, 0}, 2, 5, 3}}};
  NetworkEvaluator evaluator;
  const Matrix after = *evaluator.evaluate(network(), tokens_, edit).stack.blocks[1].input;
  const Matrix& before = *trace_.stack.blocks[1].input;
  for (Index row = 0; row < 9; ++row)
    EXPECT_EQ((after.row(row) - before.row(row)).cwiseAbs().maxCoeff() > 0, row >= 2 && row <= 4)
        << row;
}

}  // namespace
}  // namespace lab
