// What a model says without its edits, as the window compares it with what it says with them.

#include "app/document/analysis/unedited_model.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "app/tests/rooms.h"
#include "core/network/layer_matrix.h"
#include "core/tests/random_network.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::RowVector;
using attention::network::Interventions;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using Ids = std::vector<std::uint32_t>;

const Ids kText = {3, 1, 4, 1, 5};
const Ids kOther = {2, 7, 1, 8};

std::shared_ptr<const ModelSource> random_source() {
  attention::PortableRandom random(17);
  auto source = std::make_shared<ModelSource>();
  source->folder = "random";
  source->network = attention::test::random_network({}, random);
  return source;
}

using Shared = std::shared_ptr<ModelDocument>;

Shared model_on(const std::shared_ptr<const ModelSource>& source, const Ids& ids) {
  return std::make_shared<ModelDocument>(ModelDocument{.source = source,
                                                       .text = {std::nullopt, ids},
                                                       .decoder_text = {},
                                                       .network = source->network});
}

Shared muted(const ModelDocument& model) {
  auto edited = std::make_shared<ModelDocument>(model);
  edited->interventions.gains = {{{Sublayer::kSelf, 0}, 1, 1, true}};
  return edited;
}

Shared with_another_weight(const ModelDocument& model) {
  auto edited = std::make_shared<ModelDocument>(model);
  auto& attention = edited->network.stack.blocks[1].attention;
  Matrix values = layer_matrix(attention, MatrixId::kWV, 0).values();
  values(0, 0) += 3;
  set_layer_matrix(attention, MatrixId::kWV, 0, values);
  return edited;
}

// What the source says of a row of these tokens.
std::vector<Prediction> said(const ModelSource& source, const Ids& ids, Index row) {
  NetworkEvaluator evaluator;
  const Matrix logits = attention::network::logits(
      source.network, evaluator.evaluate(source.network, {ids, {}, {}}).stack.final.row(row),
      evaluator.pool());
  return most_probable(RowVector(logits.row(0)), 10);
}

AnalysisRequest predictions_of_row(Index row) {
  AnalysisRequest requested;
  requested.row = row;
  requested.predictions = true;
  return requested;
}

void expect_said(const AnalysisResult& found, const std::vector<Prediction>& requested) {
  ASSERT_TRUE(found.predictions.value && found.predictions.current);
  const auto& top = found.predictions.value->top;
  ASSERT_EQ(top.size(), requested.size());
  for (std::size_t i = 0; i < requested.size(); ++i) {
    EXPECT_EQ(top[i].id, requested[i].id);
    EXPECT_NEAR(top[i].probability, requested[i].probability, 1e-5);
  }
}

class Unedited : public testing::Test {
 protected:
  // Asks frame by frame, as a window does, until there are predictions.
  std::shared_ptr<const AnalysisResult> finished(const Shared& requested, Index row) {
    const auto given_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      unedited.request(requested, predictions_of_row(row));
      const auto result = unedited.result();
      const bool is_done = result->predictions.current && !result->busy;
      if (is_done || std::chrono::steady_clock::now() > given_up) return result;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const std::shared_ptr<const ModelSource> source = random_source();
  const Shared plain = model_on(source, kText);
  UneditedModel unedited{1, {}};
};

TEST_F(Unedited, AnEditIsAnyDifferenceFromTheSource) {
  EXPECT_FALSE(is_edited(*plain));
  EXPECT_TRUE(is_edited(*muted(*plain)));
  EXPECT_TRUE(is_edited(*with_another_weight(*plain)));
  auto copied = std::make_shared<ModelDocument>(*plain);
  copied->layer = {Sublayer::kSelf, 1};
  EXPECT_FALSE(is_edited(*copied)) << "looking at a layer is none";
}

TEST_F(Unedited, SaysWhatTheModelSaidBeforeTheEdits) {
  expect_said(*finished(muted(*plain), 4), said(*source, kText, 4));
  expect_said(*finished(with_another_weight(*plain), 2), said(*source, kText, 2));
}

TEST_F(Unedited, SaysItOfTheTextThatIsReadNow) {
  finished(muted(*plain), 3);
  expect_said(*finished(muted(*model_on(source, kOther)), 3), said(*source, kOther, 3));
}

TEST_F(Unedited, HasNothingToSayWithoutEdits) {
  finished(muted(*plain), 4);
  unedited.request(plain, predictions_of_row(4));
  EXPECT_FALSE(unedited.result()->predictions.value) << "all edits were undone";
  finished(muted(*plain), 4);
  unedited.request(nullptr, predictions_of_row(4));
  EXPECT_FALSE(unedited.result()->predictions.value) << "there is no model any more";
}

TEST_F(Unedited, AnotherEditDoesNotReadTheTextAgain) {
  const auto first = finished(muted(*plain), 4);
  unedited.request(with_another_weight(*plain), predictions_of_row(4));
  EXPECT_EQ(unedited.result(), first);
}

TEST_F(Unedited, TheNewestTextWins) {
  for (int i = 0; i < 20; ++i)
    unedited.request(muted(*model_on(source, i % 2 == 0 ? kText : kOther)), predictions_of_row(1));
  expect_said(*finished(muted(*model_on(source, {9, 9, 2})), 1), said(*source, {9, 9, 2}, 1));
}

TEST_F(Unedited, ATextThatTheModelCannotReadHasNoNumbers) {
  unedited.request(muted(*model_on(source, {3, 4000000000U})), predictions_of_row(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  unedited.request(muted(*model_on(source, {3, 4000000000U})), predictions_of_row(1));
  EXPECT_FALSE(unedited.result()->predictions.value);
  expect_said(*finished(muted(*plain), 4), said(*source, kText, 4));
}

}  // namespace
}  // namespace lab
