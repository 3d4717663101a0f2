#include "app/base/typed_number.h"

#include <gtest/gtest.h>

#include "app/explain/explain_text.h"
#include "app/explain/number_text.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

class CommaAsMark : public testing::Test {
 protected:
  CommaAsMark() { set_decimal_comma(true); }
  ~CommaAsMark() override { set_decimal_comma(false); }
};

TEST_F(CommaAsMark, IsInEveryNumberThatIsShown) {
  EXPECT_EQ(format_fixed(0.5f, 2), "0,50");
  EXPECT_EQ(format_fixed(-0.001f, 2), "0,00");
  EXPECT_EQ(format_fixed(1.2e9f, 2), "1,2e+09");
  EXPECT_EQ(format_significant(0.25f, 3), "0,25");
  EXPECT_EQ(shorter_texts(0.25f, 2), (std::vector<std::string>{"0,25", "0,3"}));
  EXPECT_STREQ(between_numbers(), "; ");
}

// Every number of the explanations of a head, in order.
std::string all_explanations() {
  const Sample s = sample("", "one two three four", 2);
  std::string text;
  for (const attention::Stage stage : {attention::Stage::kScores, attention::Stage::kScaledScores,
                                       attention::Stage::kWeights, attention::Stage::kOutput})
    for (attention::Index i = 0; i < 4; ++i)
      for (const ExplainLine& line : explain_lines(s.document, s.trace, stage, 0, i, 1)) {
        for (const float value : line.values) text += number_in(line, value) + " ";
        text += line.before + line.result + line.after + "\n";
      }
  return text;
}

TEST(DecimalMark, ChangesNothingElseInAnExplanation) {
  const std::string point = all_explanations();
  set_decimal_comma(true);
  std::string comma = all_explanations();
  set_decimal_comma(false);
  EXPECT_NE(comma, point);
  for (char& c : comma)
    if (c == ',') c = '.';
  std::string same = point;
  for (char& c : same)
    if (c == ',') c = '.';
  EXPECT_EQ(comma, same);
}

TEST(PointAsMark, IsTheMarkUntilItIsChanged) {
  EXPECT_EQ(format_fixed(0.5f, 2), "0.50");
  EXPECT_STREQ(between_numbers(), ", ");
}

}  // namespace
}  // namespace lab
