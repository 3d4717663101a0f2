#include "app/base/decimal_mark.h"

#include <gtest/gtest.h>

#include "app/explain/number_text.h"
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
  EXPECT_EQ(shorter_texts(0.25f, 2), (std::vector<std::string>{"0,25", "0,2"}));
  EXPECT_STREQ(between_numbers(), "; ");
}

TEST(PointAsMark, IsTheMarkUntilItIsChanged) {
  EXPECT_EQ(format_fixed(0.5f, 2), "0.50");
  EXPECT_STREQ(between_numbers(), ", ");
}

}  // namespace
}  // namespace lab
