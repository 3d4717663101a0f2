// The numbers of an explanation add up as they are shown, or it says that they are rounded.
#include "app/explain/explain_parts.h"

#include <gmock/gmock.h>

#include <numeric>

#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Stage;
using ::testing::HasSubstr;
using ::testing::Not;

// One head whose Q and K are the embeddings themselves.
Sample with_embeddings(const attention::Matrix& X) {
  Sample made = sample("", X.rows() == 1 ? "one" : "one two", 1);
  attention::Problem& problem = made.document.problem;
  const auto width = problem.config.d_model;
  problem.config.d_k = width;
  auto& head = problem.parameters.heads[0];
  auto& keys = problem.parameters.kv_heads[0];
  head.W_Q = keys.W_K = attention::SharedMatrix(attention::Matrix::Identity(width, width));
  attention::Matrix all = attention::Matrix::Zero(X.rows(), width);
  all.leftCols(X.cols()) = X;
  problem.embedding = attention::SharedMatrix(all);
  attention::Evaluator evaluator;
  made.trace = evaluator.evaluate(problem);
  return made;
}

TEST(ShownSum, IsRightToTheLastDigitThatIsShown) {
  EXPECT_TRUE(is_rounding_of(0.81, "0.81"));
  EXPECT_FALSE(is_rounding_of(0.81, "0.80")) << "0.42 + 0.10 + 0.02 + 0.27";
  EXPECT_FALSE(is_rounding_of(6.125, "6.12")) << "12.25 ÷ 2: half a unit is rounded up on paper";
  EXPECT_TRUE(is_rounding_of(6.125, "6.125"));
  EXPECT_TRUE(is_rounding_of(0.00714, "7.1e-3"));
  EXPECT_FALSE(is_rounding_of(0.0072, "7.1e-3"));
  EXPECT_TRUE(is_rounding_of(std::nan(""), "NaN"));
}

TEST(ShownSum, HalfOfAScoreHasTheDigitsThatItNeeds) {
  attention::Matrix X(1, 1);
  X << 3.5f;
  Sample s = with_embeddings(X);
  s.document.problem.config.scale = false;
  s.document.problem.config.temperature = 2;
  attention::Evaluator evaluator;
  s.trace = evaluator.evaluate(s.document.problem);
  const auto lines = explain_lines(s.document, s.trace, Stage::kScaledScores, 0, 0, 0);
  EXPECT_EQ(lines.back().result, "6.125") << "12.25 ÷ 2";
  EXPECT_EQ(lines.back().decimals, 3);
  EXPECT_EQ(lines[lines.size() - 2].result, "12.25") << "no zero that says nothing";
  EXPECT_THAT(lines.back().after, Not(HasSubstr("rounded")));
  const auto two = explain_lines(s.document, s.trace, Stage::kScaledScores, 0, 0, 0, {2, 2});
  EXPECT_THAT(two.back().after, HasSubstr("rounded")) << "no more digits are allowed";
}

// The sum of what a line shows, as a reader adds it.
double sum_as_shown(const ExplainLine& line) {
  return std::accumulate(line.values.begin(), line.values.end(), 0.0, [&](double sum, float value) {
    return sum + shown_value(number_in(line, value));
  });
}

TEST(ShownSum, EveryScoreAddsUpOrIsCalledRounded) {
  const Sample s = sample("", "one two three four five", 3);
  int right = 0, rounded = 0;
  for (attention::Index i = 0; i < 5; ++i)
    for (attention::Index j = 0; j < 5; ++j) {
      const auto lines = explain_lines(s.document, s.trace, Stage::kScores, 1, i, j);
      const auto products = std::ranges::find(lines, true, &ExplainLine::products);
      ASSERT_NE(products, lines.end());
      const bool adds_up = is_rounding_of(sum_as_shown(*products), lines.back().result);
      const bool is_said = lines.back().after.find("rounded") != std::string::npos;
      EXPECT_NE(adds_up, is_said) << lines.back().result << " " << lines.back().after;
      ++(adds_up ? right : rounded);
    }
  EXPECT_GT(right, rounded) << "more digits help";
}

TEST(ByContribution, TheLargestTermsComeFirstWithTheirFactors) {
  const Sample s = sample("", "one two three", 1);
  const auto lines = explain_lines(s.document, s.trace, Stage::kScores, 0, 0, 1);
  const auto sorted = by_contribution(lines);
  ASSERT_TRUE(sorted[2].products);
  for (std::size_t i = 1; i < sorted[2].values.size(); ++i)
    EXPECT_GE(std::abs(sorted[2].values[i - 1]), std::abs(sorted[2].values[i]));
  for (std::size_t i = 0; i < sorted[2].values.size(); ++i) {
    EXPECT_FLOAT_EQ(sorted[0].values[i] * sorted[1].values[i], sorted[2].values[i]);
    EXPECT_EQ(sorted[0].cells[i].col, sorted[1].cells[i].col);
  }
  EXPECT_EQ(sorted.back().result, lines.back().result);
}

}  // namespace
}  // namespace lab
