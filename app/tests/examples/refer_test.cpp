#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/document/commands/reducer.h"
#include "app/tests/examples/support.h"
#include "app/tests/rooms.h"
#include "core/analysis/metrics.h"

// What the example "What does “it” refer to?" promises to whoever teaches with it.

namespace lab::samples {
namespace {

using attention::Index;
using attention::Matrix;
using ::testing::ElementsAre;

class Refer : public ::testing::Test {
 protected:
  const Opened example_ = open_example("refer");
  const Document& document_ = example_.document;

  /// The strongest pair of `head` off the diagonal, as "query → key".
  std::string strongest(int head) const {
    const attention::Pair pair = attention::strongest_pair(weights(example_, head), true);
    return row_label(document_, pair.row) + " → " + key_label(document_, pair.col);
  }

  /// The example after one cell was set; the user's own way of editing it.
  Opened edited(MatrixRef matrix, Index row, Index col, float value) const {
    const SetCell set{matrix, static_cast<int>(row), static_cast<int>(col), value};
    return evaluated(apply(document_, set).value());
  }

  double output(std::string_view word, std::string_view name) const {
    return (*example_.trace.output)(position(document_, word), dimension(document_, name));
  }
};

// The matrices of numbers that were chosen by hand.
std::vector<Matrix> made_by_hand(const Document& document) {
  std::vector<Matrix> all = {*document.problem.embedding, *document.problem.parameters.W_O};
  for (const auto& head : document.problem.parameters.heads) all.push_back(*head.W_Q);
  for (const auto& head : document.problem.parameters.kv_heads) {
    all.insert(all.end(), {*head.W_K, *head.W_V});
  }
  return all;
}

TEST_F(Refer, HasTheSentenceAndTheSizesOfTheLesson) {
  EXPECT_EQ(document_.sentence, "The animal didn't cross the street because it was too tired");
  EXPECT_EQ(document_.tokens.size(), 11u);
  const attention::Config expected{
      .d_model = 8, .n_heads = 3, .d_k = 4, .d_v = 4, .d_out = 8, .mask = {}};
  EXPECT_EQ(document_.problem.config, expected);
  EXPECT_THAT(document_.dimensions, ElementsAre("animate", "place", "action", "function", "plural",
                                                "position", "negated", "state"));
}

TEST_F(Refer, HeadOneOfItLooksAtAnimalStreetAndCross) {
  EXPECT_NEAR(weight(example_, 1, "it", "animal"), 0.70, 0.02);
  EXPECT_NEAR(weight(example_, 1, "it", "street"), 0.20, 0.02);
  EXPECT_NEAR(weight(example_, 1, "it", "cross"), 0.10, 0.02);
}

TEST_F(Refer, HeadOneOfItLooksAtNothingElse) {
  const double named = weight(example_, 1, "it", "animal") + weight(example_, 1, "it", "street") +
                       weight(example_, 1, "it", "cross");
  EXPECT_GE(named, 0.97);
}

TEST_F(Refer, HeadTwoOfCrossLooksAtStreet) {
  EXPECT_EQ(peak(example_, 2, "cross"), "street");
  EXPECT_GE(weight(example_, 2, "cross", "street"), 0.5);
}

TEST_F(Refer, HeadThreeOfDidntAndCrossLooksAtTired) {
  for (const char* word : {"didn't", "cross"}) {
    EXPECT_EQ(peak(example_, 3, word), "tired") << word;
    EXPECT_GE(weight(example_, 3, word, "tired"), 0.4) << word;
  }
}

TEST_F(Refer, EachHeadIsNamedByItsStrongestPair) {
  EXPECT_EQ(strongest(1), "it → animal");
  EXPECT_EQ(strongest(2), "cross → street");
  EXPECT_EQ(strongest(3), "didn't → tired");
}

TEST_F(Refer, EveryHeadHasSeveralThingsToSee) {
  for (int head = 1; head <= 3; ++head) {
    std::set<std::string> peaks;
    int strong_rows = 0;
    for (const Token& token : document_.tokens) {
      peaks.insert(peak(example_, head, token.text));
      if (weights(example_, head).row(position(document_, token.text)).maxCoeff() > 0.35f) {
        ++strong_rows;
      }
    }
    EXPECT_GE(peaks.size(), 3u) << "head " << head;
    EXPECT_GE(strong_rows, 5) << "head " << head;
  }
}

TEST_F(Refer, ItLearnsThatItIsAliveAndTired) {
  const Matrix& X = *document_.problem.embedding;
  EXPECT_EQ(X(position(document_, "it"), dimension(document_, "animate")), 0.0f);
  EXPECT_EQ(X(position(document_, "it"), dimension(document_, "state")), 0.0f);
  EXPECT_GT(output("it", "animate"), 1.0);
  EXPECT_GT(output("it", "state"), 1.5);
}

TEST_F(Refer, TheHandMadeNumbersAreRound) {
  int numbers = 0;
  int zeros = 0;
  for (const Matrix& values : made_by_hand(document_)) {
    for (float value : values.reshaped()) {
      EXPECT_EQ(value, std::round(value * 10.0f) / 10.0f);
      ++numbers;
      if (value == 0.0f) ++zeros;
    }
  }
  EXPECT_GT(zeros, numbers / 2);
}

TEST_F(Refer, WithoutTheQueryForPointingWordsItLetsGoOfAnimal) {
  const Opened after = edited({MatrixId::kWQ, 0}, dimension(document_, "position"), 0, 0.0f);
  EXPECT_LT(weight(after, 1, "it", "animal"), 0.2);
  EXPECT_EQ(weights(after, 2), weights(example_, 2));
  EXPECT_EQ(weights(after, 3), weights(example_, 3));
}

TEST_F(Refer, SeveralAnimalsAreNotIt) {
  const Opened after = edited({MatrixId::kX, 0}, position(document_, "animal"),
                              dimension(document_, "plural"), 1.0f);
  EXPECT_EQ(peak(after, 1, "it"), "street");
}

TEST_F(Refer, WithNobodyAliveItIsTheStreet) {
  const Opened after = edited({MatrixId::kX, 0}, position(document_, "animal"),
                              dimension(document_, "animate"), 0.0f);
  EXPECT_EQ(peak(after, 1, "it"), "street");
}

}  // namespace
}  // namespace lab::samples
