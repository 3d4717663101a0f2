// What heads attend to in a longer text.

#include <gmock/gmock.h>

#include <map>

#include "app/base/bad_input.h"
#include "app/document/analysis/head_explorer.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using ::testing::HasSubstr;
using Ids = std::vector<std::uint32_t>;

std::shared_ptr<const files::Model> words() {
  static const auto opened = std::make_shared<const files::Model>(opened_model("words"));
  return opened;
}

ModelDocument document_of(const std::shared_ptr<const files::Model>& model) {
  ModelDocument document;
  document.source = model;
  document.network = model->network;
  return document;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 12; ++i)
    text += "A small animal is a big tree. The word is a form of the name. ";
  return text;
}

ExplorationRequest request_for(std::string text) {
  ExplorationRequest request;
  request.text = std::make_shared<const std::string>(std::move(text));
  request.piece = 30;
  request.pairs = 6;
  return request;
}

Exploration explored(const ModelDocument& document, const ExplorationRequest& request) {
  HeadExplorer explorer(document, request, 1);
  while (!explorer.done()) explorer.step();
  return explorer.exploration();
}

// The weights of the strongest pairs of a head, found by sorting all there are.
std::vector<float> strongest_by_sorting(const files::Model& model,
                                        const ExplorationRequest& request, Index layer, Index head,
                                        const Ids& ids) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, float> all;
  NetworkEvaluator evaluator;
  for (Index first = 0; first < std::ssize(ids); first += request.piece) {
    const Index n = std::min(request.piece, std::ssize(ids) - first);
    const Ids piece(ids.begin() + first, ids.begin() + first + n);
    const auto& trace = evaluator.evaluate(model.network, {piece, {}, {}});
    const auto weights = trace.stack.head_weights(layer, head);
    for (Index i = 1; i < n; ++i)
      for (Index j = 1; j <= i; ++j) {
        float& most = all[{piece[static_cast<std::size_t>(i)], piece[static_cast<std::size_t>(j)]}];
        most = std::max(most, weights(i, j));
      }
  }
  std::vector<float> sorted;
  for (const auto& [tokens, weight] : all) sorted.push_back(weight);
  std::ranges::sort(sorted, std::greater());
  sorted.resize(static_cast<std::size_t>(request.pairs));
  return sorted;
}

TEST(HeadExplorer, FindsTheStrongestPairsOfEachHead) {
  const ExplorationRequest request = request_for(long_text());
  const Exploration found = explored(document_of(words()), request);
  EXPECT_EQ(found.read, std::ssize(*found.ids));
  ASSERT_EQ(found.heads.size(), 16U);
  for (const ExploredHead& head : found.heads) {
    const auto sorted =
        strongest_by_sorting(*words(), request, head.at.at.layer, head.at.head, *found.ids);
    ASSERT_EQ(head.pairs.size(), sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i)
      EXPECT_NEAR(head.pairs[i].weight, sorted[i], 1e-5) << head.at.head << ", " << i;
  }
}

// A position in the text is that of the token: its weight can be found there again.
TEST(HeadExplorer, SaysWhereInTheTextAPairIs) {
  const ExplorationRequest request = request_for(long_text());
  const Exploration found = explored(document_of(words()), request);
  const ExploredHead& head = found.heads[5];
  NetworkEvaluator evaluator;
  for (const AttendedPair& pair : head.pairs) {
    const Index first = pair.query / 30 * 30;
    ASSERT_GE(pair.key, first);
    const auto end = std::min(first + 30, std::ssize(*found.ids));
    const Ids piece(found.ids->begin() + first, found.ids->begin() + end);
    const auto& trace = evaluator.evaluate(words()->network, {piece, {}, {}});
    EXPECT_NEAR(trace.stack.head_weights(1, 1)(pair.query - first, pair.key - first), pair.weight,
                1e-5);
  }
}

TEST(HeadExplorer, OfOneHeadGivesWhatItGivesOfAll) {
  ExplorationRequest request = request_for(long_text());
  ModelDocument document = document_of(words());
  document.interventions.gains = {{{Sublayer::kSelf, 0}, 1, 0.5f}, {{Sublayer::kSelf, 3}, 0, 2}};
  const Exploration all = explored(document, request);
  request.head = HeadRef{{Sublayer::kSelf, 1}, 2};
  const Exploration one = explored(document, request);
  ASSERT_EQ(one.heads.size(), 1U);
  const ExploredHead& expected = all.heads[6];
  EXPECT_EQ(one.heads[0].at, expected.at);
  EXPECT_NEAR(one.heads[0].scores.previous, expected.scores.previous, 1e-6);
  EXPECT_NEAR(one.heads[0].scores.duplicate, expected.scores.duplicate, 1e-6);
  ASSERT_EQ(one.heads[0].pairs.size(), expected.pairs.size());
  for (std::size_t i = 0; i < expected.pairs.size(); ++i)
    EXPECT_EQ(one.heads[0].pairs[i].query, expected.pairs[i].query);
}

TEST(HeadExplorer, IsStoppedAndGoesOn) {
  const ExplorationRequest request = request_for(long_text());
  HeadExplorer explorer(document_of(words()), request, 1);
  attention::WorkWatch watch;
  explorer.step(&watch);
  EXPECT_GT(explorer.progress(), 0);
  EXPECT_EQ(explorer.exploration().read, 30);
  watch.stop();
  EXPECT_THROW(explorer.step(&watch), attention::WorkStopped);
  EXPECT_EQ(explorer.exploration().read, 30);
  watch.reset();
  while (!explorer.done()) explorer.step(&watch);
  const Exploration whole = explored(document_of(words()), request);
  EXPECT_EQ(explorer.exploration().heads[3].pairs.front().query,
            whole.heads[3].pairs.front().query);
  EXPECT_EQ(explorer.exploration().heads[3].scores.first, whole.heads[3].scores.first);
}

TEST(HeadExplorer, SaysWhatItCannotExplore) {
  const auto complaint_of = [](const ModelDocument& document, const ExplorationRequest& request) {
    try {
      HeadExplorer explorer(document, request, 1);
      return std::string();
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
  };
  const ModelDocument document = document_of(words());
  EXPECT_THAT(complaint_of(document, request_for("")), HasSubstr("no token"));
  EXPECT_THAT(complaint_of(document, request_for(std::string(kLongestExplored + 1, 'a'))),
              HasSubstr("1048577 bytes; at most 1048576"));
  ExplorationRequest far = request_for("a small");
  far.head = HeadRef{{Sublayer::kSelf, 4}, 0};
  EXPECT_THAT(complaint_of(document, far), HasSubstr("no head L4H0"));
  far.head = HeadRef{{Sublayer::kCross, 0}, 0};
  EXPECT_THAT(complaint_of(document, far), HasSubstr("cross-attention"));
  const auto gpt2 = std::make_shared<const files::Model>(opened_golden("gpt2"));
  EXPECT_THAT(complaint_of(document_of(gpt2), request_for("a")), HasSubstr("no tokenizer.json"));
}

TEST(StrongestPairs, KeepsAFewDifferentOnes) {
  StrongestPairs pairs(2);
  pairs.add({1, 0, 0.5f}, 7, 8);
  pairs.add({2, 1, 0.7f}, 7, 8);
  pairs.add({3, 2, 0.6f}, 7, 8);
  pairs.add({4, 3, 0.2f}, 9, 8);
  pairs.add({5, 4, 0.3f}, 5, 5);
  pairs.add({6, 5, 0.3f}, 6, 6);
  const auto kept = pairs.pairs();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].query, 2);
  EXPECT_EQ(kept[1].query, 5) << "the first of equal ones";
  EXPECT_EQ(pairs.least(), 0.3f);
}

}  // namespace
}  // namespace lab
