#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/document/commands/reducer.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"

namespace lab::samples {
namespace {

using ::testing::HasSubstr;

class Expressions : public ::testing::Test {
 protected:
  LiveDocument refer{"refer"};
  const attention::Matrix& weights(int head) {
    return *refer.live().trace.heads[static_cast<std::size_t>(head)].weights;
  }
};

TEST_F(Expressions, CalculateAsInMathematics) {
  EXPECT_EQ(refer.number("1 + 2 * 3"), 7);
  EXPECT_EQ(refer.number("(1 + 2) * 3"), 9);
  EXPECT_EQ(refer.number("2 - 3 - 4"), -5);
  EXPECT_EQ(refer.number("12 / 3 / 2"), 2);
  EXPECT_EQ(refer.number("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(refer.number("-2 ^ 2"), -4);
  EXPECT_EQ(refer.number("2 ^ -1"), 0.5);
  EXPECT_EQ(refer.number(" 3 × 4 ÷ 6 − 1·5 "), -3);
}

TEST_F(Expressions, Compare) {
  EXPECT_TRUE(refer.truth("1 < 2 and 2 <= 2 and not 3 < 2"));
  EXPECT_TRUE(refer.truth("1 > 2 or 2 >= 2"));
  EXPECT_TRUE(refer.truth("0.1 + 0.2 = 0.3"));
  EXPECT_TRUE(refer.truth("0.3001 != 0.3"));
  EXPECT_FALSE(refer.truth("0.30001 ≠ 0.3")) << "four places would not tell them apart";
  EXPECT_TRUE(refer.truth("\"a\" = \"a\" and \"a\" != \"b\""));
}

TEST_F(Expressions, WhatIsNotNeededIsNotLookedAt) {
  EXPECT_FALSE(refer.truth("n_heads > 8 and weights[9, it, animal] > 0"));
  EXPECT_TRUE(refer.truth("n_heads = 3 or weights[9, it, animal] > 0"));
}

// The derivative of a softmax: w (1 − w) by the own number, −w w' by another one of the row.
TEST_F(Expressions, DerivativesFollowTheFormulaOfTheSoftmax) {
  const double own = weights(0)(7, 1), other = weights(0)(7, 5);
  EXPECT_NEAR(refer.number("derivative(weights[1, it, animal], scaled_scores[1, it, animal])"),
              own * (1 - own), 1e-5);
  EXPECT_NEAR(refer.number("derivative(weights[1, it, animal], scaled_scores[1, it, street])"),
              -own * other, 1e-5);
  EXPECT_NEAR(refer.number("sum(derivative(weights[1, it, animal], scaled_scores[1, it]))"), 0,
              1e-5);
  EXPECT_EQ(refer.number("derivative(weights[1, it, animal], scores[1, was, animal])"), 0)
      << "another row does not move it";
  EXPECT_FALSE(Expression::parse("derivative(3, X[it, 0])")->evaluate(refer.live()));
}

TEST_F(Expressions, CellsAreThoseOfTheTrace) {
  EXPECT_EQ(refer.number("weights[1, it, animal]"), weights(0)(7, 1));
  EXPECT_EQ(refer.number("weights[head 2, cross, street]"), weights(1)(3, 5));
  EXPECT_EQ(refer.number("weights[ 2 , 3 , 5 ]"), weights(1)(3, 5));
  EXPECT_EQ(refer.number("output[it, animate]"), (*refer.live().trace.output)(7, 0));
  EXPECT_EQ(refer.number("X[it, 2]"), (*refer.document().problem.embedding)(7, 2));
  EXPECT_EQ(refer.number("W_Q[2, 1, 3]"),
            (*refer.document().problem.parameters.heads[1].W_Q)(1, 3));
}

TEST_F(Expressions, CellsKnowWhereTheyStand) {
  const CellValue cell = refer.cell("largest(weights[1, it])");
  EXPECT_EQ(cell.cell, (StageCell{attention::Stage::kWeights, 0, 7, 1}));
  EXPECT_EQ(cell.value, weights(0).row(7).maxCoeff());
  EXPECT_EQ(refer.text("column(largest(weights[1, it]))"), "animal");
  EXPECT_EQ(refer.text("row(smallest(weights[1, :, animal]))"), [&] {
    attention::Index row = 0;
    weights(0).col(1).minCoeff(&row);
    return refer.document().tokens[static_cast<std::size_t>(row)].text;
  }());
  EXPECT_EQ(refer.cell("W_Q[1, 0, 0]").cell, std::nullopt);
}

TEST_F(Expressions, RowsAreSummedUp) {
  const auto row = weights(0).row(7).cast<double>();
  EXPECT_NEAR(refer.number("sum(weights[1, it])"), 1, 1e-6);
  EXPECT_EQ(refer.number("count(weights[1, it, :])"), 11);
  EXPECT_EQ(refer.number("max(weights[1, it])"), row.maxCoeff());
  EXPECT_EQ(refer.number("min(weights[1, it])"), row.minCoeff());
  EXPECT_NEAR(refer.number("mean(weights[1, it])"), 1.0 / 11, 1e-7);
  EXPECT_NEAR(refer.number("entropy(weights[1, it])"), -(row.array() * row.array().log()).sum(),
              1e-6);
  EXPECT_NEAR(refer.number("length(Q[1, it])"), refer.live().trace.heads[0].Q->row(7).norm(), 1e-6);
  EXPECT_EQ(refer.number("max(1, 5, 3)"), 5);
}

// The stages are computed here again, by the formulas of the field.
TEST_F(Expressions, StagesFollowFromEachOther) {
  EXPECT_TRUE(refer.truth("dot(Q[1, it], K[1, animal]) = scores[1, it, animal]"));
  EXPECT_TRUE(refer.truth("scores[1, it, animal] / sqrt(d_k) = scaled_scores[1, it, animal]"));
  EXPECT_TRUE(refer.truth("max(softmax(scaled_scores[1, it])) = weights[1, it, animal]"));
  EXPECT_NEAR(refer.number("cosine(Q[1, it], Q[1, it])"), 1, 1e-9);
}

TEST_F(Expressions, SizesAndSwitchesHaveNames) {
  EXPECT_EQ(refer.number("d_model"), 8);
  EXPECT_EQ(refer.number("seq_len * n_heads * d_k * d_v"), 11 * 3 * 4 * 4);
  EXPECT_TRUE(refer.truth("scaled and not causal and not residual"));
  refer.apply(SetMask{true, {}, {}});
  EXPECT_TRUE(refer.truth("causal"));
}

TEST_F(Expressions, FollowTheModel) {
  const double before = refer.number("weights[1, it, animal]");
  refer.apply(SetTemperature{4});
  EXPECT_LT(refer.number("weights[1, it, animal]"), before);
}

TEST_F(Expressions, FunctionsOfOneNumber) {
  EXPECT_DOUBLE_EQ(refer.number("exp(1)"), std::exp(1.0));
  EXPECT_DOUBLE_EQ(refer.number("log(2)"), std::log(2.0));
  EXPECT_EQ(refer.number("abs(-3)"), 3);
  EXPECT_EQ(refer.number("round(2.345, 2)"), 2.35);
  EXPECT_EQ(refer.number("round(-2.6)"), -3);
}

TEST_F(Expressions, LabelsComeBeforeNumbers) {
  refer.apply(SetSentence{"2 1 0"});
  EXPECT_EQ(refer.number("weights[1, 0, 0]"), weights(0)(2, 2));
  EXPECT_EQ(refer.number("weights[1, \"2\", 0]"), weights(0)(0, 2));
}

TEST_F(Expressions, CurlyQuotesAreQuotes) {
  for (const char* text : {"weights[1, “it”, “animal”]", "weights[1, „it“, animal]"})
    EXPECT_EQ(refer.number(text), refer.number("weights[1, it, animal]")) << text;
}

TEST_F(Expressions, AreShownWithTheirNumbers) {
  const auto shown = [&](const std::string& text) {
    return Expression::parse(text)->with_numbers(refer.live(), 2).value();
  };
  EXPECT_EQ(shown("1 + 2 * d_k"), "1 + 2 × 4");
  EXPECT_EQ(shown("(1 + 2) * d_k"), "(1 + 2) × 4");
  EXPECT_EQ(shown("1 - (2 - 3)"), "1 − (2 − 3)");
  EXPECT_EQ(shown("d_k / (d_v / 2)"), "4 ÷ (4 ÷ 2)");
  EXPECT_EQ(shown("max(1, d_k) >= 3"), "max(1, 4) ≥ 3");
  EXPECT_EQ(shown("-0.5 < 1"), "−0.5 < 1");
}

TEST_F(Expressions, ThatCannotBeReadSayWhere) {
  EXPECT_THAT(refer.error("1 +"), HasSubstr("expected a number"));
  EXPECT_THAT(refer.error("(1 + 2"), HasSubstr("expected \")\", found nothing"));
  EXPECT_THAT(refer.error("1 2"), HasSubstr("expected the end, found \"2\""));
  EXPECT_THAT(refer.error("weights[1, it"), HasSubstr("expected \"]\", found nothing"));
  EXPECT_THAT(refer.error("weights[1,, it]"), HasSubstr("expected a head, a row or a column"));
  EXPECT_THAT(refer.error("weights[1, 2, 3, 4]"), HasSubstr("at most a head, a row and a column"));
  EXPECT_THAT(refer.error("\"it"), HasSubstr("quotation mark is not closed"));
  EXPECT_THAT(refer.error("softmin(1)"),
              HasSubstr("no function \"softmin\"; the functions are sum"));
  EXPECT_THAT(refer.error("dot(1)"), HasSubstr("takes two arguments, not 1"));
  EXPECT_THAT(refer.error(std::string(100, '(')), HasSubstr("too deep"));
  EXPECT_THAT(refer.error(std::string(900, '-') + "1"), HasSubstr("too deep"));
  EXPECT_THAT(refer.error(std::string(2000, '1')), HasSubstr("at most 1,000"));
  EXPECT_THAT(refer.error(""), HasSubstr("nothing"));
}

TEST_F(Expressions, ThatNameNothingSayWhatThereIs) {
  EXPECT_THAT(refer.error("weights[4, it, animal]"),
              HasSubstr("\"4\" is not a head; there are heads 1 to 3"));
  EXPECT_THAT(
      refer.error("weights[it, animal]"),
      HasSubstr("\"it\" is not a head; there are heads 1 to 3; write weights[1, it, animal]"));
  EXPECT_THAT(refer.error("W_Q[\"2\"]"), HasSubstr("write W_Q[1, \"2\"]"));
  EXPECT_THAT(refer.error("weights[4, it, animal]"), testing::Not(HasSubstr("write")));
  EXPECT_THAT(refer.error("weights[1, dog, animal]"),
              HasSubstr("weights has no row \"dog\"; the rows are The, animal"));
  EXPECT_THAT(refer.error("weights[1, it, 11]"), HasSubstr("no column \"11\""));
  EXPECT_THAT(refer.error("weighs[1, it, animal]"), HasSubstr("no stage or matrix \"weighs\""));
  EXPECT_THAT(refer.error("width"), HasSubstr("no size or switch \"width\""));
  EXPECT_THAT(refer.error("position[it, 0]"), HasSubstr("there is no position in this model"));
  EXPECT_THAT(refer.error("position_table_kv[0, 0]"), HasSubstr("position_table_kv"));
}

TEST_F(Expressions, StagesThatAreSwitchedOffRepeatTheOneBefore) {
  EXPECT_TRUE(refer.truth("residual[it, 0] = output[it, 0]"));
  EXPECT_TRUE(refer.truth("masked_scores[1, it, 0] = scaled_scores[1, it, 0]"));
  EXPECT_EQ(refer.number("b_Q[1, 0, 0]"), 0);
}

TEST_F(Expressions, KindsThatDoNotFitAreNamed) {
  EXPECT_THAT(refer.error("weights[1, it] + 1"),
              HasSubstr("expected a number, found a row of numbers"));
  EXPECT_THAT(refer.error("(1 < 2) * 3"), HasSubstr("expected a number, found yes or no"));
  EXPECT_THAT(refer.error("1 and 2"), HasSubstr("expected a comparison, found a number"));
  EXPECT_THAT(refer.error("largest(3)"), HasSubstr("expected a row of numbers"));
  EXPECT_THAT(refer.error("dot(Q[1, it], X[it])"), HasSubstr("rows of 4 and 8 numbers"));
  EXPECT_THAT(refer.error("row(3)"), HasSubstr("expected a cell"));
}

TEST(PlainNumber, LosesItsZeros) {
  EXPECT_EQ(plain_number(0.5, 4), "0.5");
  EXPECT_EQ(plain_number(12, 4), "12");
  EXPECT_EQ(plain_number(-0.25, 4), "−0.25");
  EXPECT_EQ(plain_number(-0.00001, 4), "0");
  EXPECT_EQ(plain_number(100, 0), "100");
  EXPECT_EQ(plain_number(2097152, 4), "2097152");
  EXPECT_EQ(plain_number(-INFINITY, 4), "−∞");
}

}  // namespace
}  // namespace lab::samples
