#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/model/model_list.h"
#include "app/files/open.h"
#include "app/tests/files/support.h"
#include "app/tests/model/support.h"
#include "core/network/head_labels.h"

// The built-in models do what the script that trained them measured: see assets/models.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::HeadScoreMeter;
using attention::network::HeadScores;
using attention::network::NetworkEvaluator;
using nlohmann::json;
using Ids = std::vector<std::uint32_t>;

class BuiltInModel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto opened = files::open_model(GetParam());
    ASSERT_TRUE(opened) << opened.error().message;
    model_ = std::move(*opened);
    const std::string folder = files::assets_folder() + "/models/" + GetParam();
    scores_ = json::parse(*files::read_bytes(folder + "/scores.json"));
  }

  const files::Model& model() const { return *model_; }

  // Mean of −ln p of the tokens of a text from position `from` on.
  void add_loss(const Ids& ids, Index from, double& sum, Index& count) {
    const Matrix logits = attention::network::logits(
        model().network, evaluator_.evaluate(model().network, {ids, {}, {}}).stack.final,
        evaluator_.pool());
    for (Index i = from; i < std::ssize(ids); ++i) {
      const auto row = logits.row(i - 1).cast<double>().array();
      const double largest = row.maxCoeff();
      sum +=
          std::log((row - largest).exp().sum()) + largest - row(ids[static_cast<std::size_t>(i)]);
      ++count;
    }
  }

  NetworkEvaluator evaluator_;
  std::optional<files::Model> model_;
  json scores_;
};

TEST_P(BuiltInModel, HasTheHeadsThatWereMeasured) {
  HeadScoreMeter meter;
  const Index n_heads = model().description.n_heads;
  for (const Ids ids : scores_["sequences"])
    meter.add(evaluator_.evaluate(model().network, {ids, {}, {}}).stack, ids, n_heads);
  const std::vector<HeadScores> found = meter.scores();
  ASSERT_EQ(std::ssize(found), model().description.n_layers * n_heads);
  const json& expected = scores_["scores"];
  for (Index i = 0; i < std::ssize(found); ++i) {
    const auto layer = static_cast<std::size_t>(i / n_heads),
               head = static_cast<std::size_t>(i % n_heads);
    SCOPED_TRACE("L" + std::to_string(layer) + "H" + std::to_string(head));
    const HeadScores& scores = found[static_cast<std::size_t>(i)];
    EXPECT_NEAR(scores.previous, expected["previous_token"][layer][head], 2e-4);
    EXPECT_NEAR(scores.first, expected["first_token"][layer][head], 2e-4);
    EXPECT_NEAR(scores.duplicate, expected["duplicate_token"][layer][head], 2e-4);
    EXPECT_NEAR(scores.induction, expected["induction"][layer][head], 2e-4);
  }
}

TEST_P(BuiltInModel, HasTheLossThatWasMeasured) {
  const json& loss = scores_["loss"];
  double sum = 0;
  Index count = 0;
  if (loss.contains("texts")) {
    for (const Ids ids : loss["texts"]) add_loss(ids, 1, sum, count);
  } else {
    for (std::size_t i = 0; i < scores_["sequences"].size(); ++i)
      add_loss(scores_["sequences"][i], scores_["periods"][i].get<Index>() + 1, sum, count);
  }
  EXPECT_NEAR(sum / static_cast<double>(count), loss["value"], 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Assets, BuiltInModel, testing::Values("induction", "words", "everyday"));

TEST(BuiltInModels, InductionHasClearHeads) {
  const auto model = files::open_model("induction");
  ASSERT_TRUE(model) << model.error().message;
  const Ids ids = attention::network::repeated_tokens(10, 26, 3);
  NetworkEvaluator evaluator;
  HeadScoreMeter meter;
  meter.add(evaluator.evaluate(model->network, {ids, {}, {}}).stack, ids, 4);
  const std::vector<HeadScores> scores = meter.scores();
  EXPECT_GT(scores[0].previous, 0.8);
  EXPECT_GT(scores[7].induction, 0.8);
}

TEST(BuiltInModels, AreListedAndSmall) {
  std::vector<std::string> names;
  for (const files::ModelInfo& info : files::list_models())
    if (info.built_in) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"everyday", "induction", "words"}));
  const auto words = files::open_model("words");
  ASSERT_TRUE(words) << words.error().message;
  EXPECT_LT(words->checkpoint.files().front()->bytes().size(), 4U << 20);
  EXPECT_EQ(words->tokenizer->size(), 4000U);
}

// The likeliest token after a text.
std::string next_token(const files::Model& model, const std::string& text) {
  Ids ids;
  for (const auto& token : value_of(model.tokenizer->encode(text))) ids.push_back(token.id);
  NetworkEvaluator evaluator;
  const Matrix logits = attention::network::logits(
      model.network, evaluator.evaluate(model.network, {ids, {}, {}}).stack.final,
      evaluator.pool());
  Index likeliest = 0;
  logits.row(logits.rows() - 1).maxCoeff(&likeliest);
  const auto id = static_cast<std::uint32_t>(likeliest);
  return value_of(model.tokenizer->decode({&id, 1}, false));
}

// Its heads are named by what they look at, and it says what its first sentence asks.
TEST(BuiltInModels, EverydayCopiesAndKnows) {
  const auto model = files::open_model("everyday");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_LT(model->checkpoint.files().front()->bytes().size(), 8U << 20);
  EXPECT_EQ(model->name, "everyday");
  EXPECT_EQ(next_token(*model, "When Mary and John went to the store, John gave a drink to"),
            " Mary");
  EXPECT_EQ(next_token(*model, "When Mary and John went to the store, Mary gave a drink to"),
            " John");
  EXPECT_EQ(next_token(*model, "The capital of France is"), " Paris");
}

// Padding inside a text has the position before the first one, and is not counted.
TEST(RobertaPositions, SkipPadding) {
  const auto model = files::open_model(GOLDEN_MODELS "/roberta");
  ASSERT_TRUE(model) << model.error().message;
  const auto& embedding = model->network.stack.embedding;
  ASSERT_EQ(embedding.padding, 1U);
  NetworkEvaluator with, without;
  const Ids ids = {5, 1, 7};
  const Matrix& found = *with.evaluate(model->network, {ids, {}, {}}).stack.blocks[0].input;
  const Matrix& expected =
      *without.evaluate(model->network, {{5, 7}, {}, {}}).stack.blocks[0].input;
  EXPECT_EQ(found.row(0), expected.row(0));
  EXPECT_EQ(found.row(2), expected.row(1));
}

}  // namespace
}  // namespace lab
