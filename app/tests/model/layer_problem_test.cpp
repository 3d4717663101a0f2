#include "core/network/layer_problem.h"

#include "app/tests/model/support.h"
#include "core/layer/evaluator.h"

// One layer computed stage by stage has the attention weights of the forward pass, in every family.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;
using attention::network::Sublayer;

constexpr Index kQueries = 9, kKeys = 8;

std::vector<LayerId> places_of(const Model& model) {
  std::vector<LayerId> places;
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder})
    for (const Index layer : attending_layers(model.network, sublayer))
      places.push_back({sublayer, layer});
  return places;
}

// A scaled score far above every cap, one of another head, and a masked score, in every sublayer.
Interventions scores_replaced(const Model& model) {
  Interventions all;
  for (const LayerId& at : places_of(model)) {
    all.overrides.push_back({at, {Stage::kScaledScores, 0, 5, 2, 40.0f}});
    all.overrides.push_back({at, {Stage::kScaledScores, 1, 7, 0, 1.25f}});
    all.overrides.push_back({at, {Stage::kMaskedScores, 1, 6, 3, 2.5f}});
  }
  return all;
}

// A number of each stage that can be replaced, in every sublayer.
Interventions every_stage_replaced(const Model& model) {
  constexpr int kPasses = 2;  // of rows and heads
  Interventions all;
  for (const LayerId& at : places_of(model)) {
    const auto& attention = *find_attention(model.network, at);
    for (const Stage stage : attention::kAllStages) {
      if (!refused_stage(stage, at.sublayer).empty()) continue;
      if (!refused_stage(attention, stage).empty()) continue;
      const auto shape =
          replaceable_shape(attention, stage, score_shape(at.sublayer, kQueries, kKeys));
      if (shape.rows == 0) continue;  // the sublayer has no such scores
      const Index sharing =
          is_per_kv_head(stage) ? attention.n_heads / attention.n_kv_heads : Index{1};
      for (Index i = 0; i < kPasses; ++i) {
        const Index head = is_per_head(stage) ? i * sharing % attention.n_heads : 0;
        all.overrides.push_back({at,
                                 {stage, head, shape.rows - 2 - 3 * i, i % shape.cols,
                                  0.25f * static_cast<float>(i + 1)}});
      }
    }
  }
  return all;
}

// The largest difference of a weight in any sublayer.
double largest_difference(const Model& model, const Interventions& interventions) {
  NetworkEvaluator evaluator;
  const auto tokens = random_tokens(model, kQueries, kKeys, 5);
  const NetworkTrace& trace = evaluator.evaluate(model.network, tokens, interventions);
  double largest = 0;
  for (const LayerId& at : places_of(model)) {
    const attention::Problem problem =
        layer_problem(model.network, trace, interventions, at, evaluator.pool());
    attention::Evaluator one;
    const attention::Trace& stages = one.evaluate(problem);
    const Matrix& expected = weights_at(trace, at);
    const Index n = problem.seq_len();
    for (Index head = 0; head < std::ssize(stages.heads); ++head) {
      const Matrix& found = *stages.heads[static_cast<std::size_t>(head)].weights;
      EXPECT_EQ(found.cols(), expected.cols());
      const double error = (found - expected.middleRows(head * n, n)).cwiseAbs().maxCoeff();
      largest = std::max(largest, error);
    }
  }
  return largest;
}

// Scores that are not scaled are so large that their rounding shows: the forward pass sums them in
// double precision, a layer that is shown stage by stage does not.
double allowed_difference(const Model& model) {
  return find_attention(model.network, places_of(model).front())->score_factor == 1 ? 4e-6 : 1e-6;
}

class LayerOfModel : public ::testing::TestWithParam<std::string> {};

TEST_P(LayerOfModel, HasTheWeightsOfTheForwardPass) {
  const Model model = opened_golden(GetParam());
  const double error = largest_difference(model, {});
  RecordProperty("error", std::to_string(error * 1e6) + "e-6");
  EXPECT_LE(error, allowed_difference(model));
}

TEST_P(LayerOfModel, HasTheWeightsOfAForwardPassWhoseScoresWereReplaced) {
  const Model model = opened_golden(GetParam());
  const double error = largest_difference(model, scores_replaced(model));
  RecordProperty("error", std::to_string(error * 1e6) + "e-6");
  EXPECT_LE(error, allowed_difference(model));
}

TEST_P(LayerOfModel, HasTheWeightsOfAForwardPassInWhichEveryStageWasReplaced) {
  const Model model = opened_golden(GetParam());
  const Interventions replaced = every_stage_replaced(model);
  EXPECT_LE(largest_difference(model, replaced), allowed_difference(model));
}

INSTANTIATE_TEST_SUITE_P(Every, LayerOfModel, ::testing::ValuesIn(golden_models()), test_name);

// The stages that a family has besides those of plain attention, by their names.
TEST(LayerStages, AreThoseOfTheFamily) {
  const auto active = [](const std::string& name, Stage stage) {
    const Model model = opened_golden(name);
    NetworkEvaluator evaluator;
    const NetworkTrace& trace = evaluator.evaluate(model.network, random_tokens(model, 4, 4, 1));
    return is_active(
        layer_problem(model.network, trace, {}, {Sublayer::kSelf, 0}, evaluator.pool()), stage);
  };
  for (const char* name : {"qwen3", "gemma3"}) {
    EXPECT_TRUE(active(name, Stage::kNormedQ) && active(name, Stage::kNormedK)) << name;
    EXPECT_FALSE(active(name, Stage::kCappedScores)) << name;
  }
  EXPECT_TRUE(active("gemma4", Stage::kNormedQ) && active("gemma4", Stage::kNormedV));
  EXPECT_FALSE(active("gemma3", Stage::kNormedV));
  EXPECT_TRUE(active("gemma2", Stage::kCappedScores));
  EXPECT_FALSE(active("gemma2", Stage::kNormedQ));
  EXPECT_FALSE(active("llama", Stage::kNormedQ) || active("llama", Stage::kCappedScores));
}

}  // namespace
}  // namespace lab
