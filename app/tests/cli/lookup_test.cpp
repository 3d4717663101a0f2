#include "app/cli/lookup.h"

#include <gmock/gmock.h>

#include "app/cli/text.h"
#include "app/document/matrix_labels.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using attention::Stage;
using testing::ElementsAre;

TEST(Labels, OfColumnsAreKeysDimensionsOrNumbers) {
  const Document document = small_document();
  EXPECT_EQ(column_labels(document, Stage::kWeights, 10).at(4), "dog");
  EXPECT_THAT(column_labels(document, Stage::kX, 4),
              ElementsAre("alpha", "beta", "gamma", "delta"));
  EXPECT_EQ(column_labels(document, Stage::kOutput, 4).at(0), "alpha");
  EXPECT_THAT(column_labels(document, Stage::kQ, 2), ElementsAre("0", "1"));
  EXPECT_EQ(column_labels(document, Stage::kConcat, 6).at(5), "5");
}

TEST(Labels, OfAnOutputOfAnotherWidthAreNumbers) {
  Document document = small_document();
  document.problem.config.d_out = 3;
  EXPECT_EQ(column_labels(document, Stage::kOutput, 3).at(0), "0");
}

TEST(FindLabel, ListsAtMostADozen) {
  const std::vector<std::string> labels(500, "x");
  const auto found = find_label(labels, "y", "--row");
  ASSERT_FALSE(found);
  EXPECT_LT(found.error().message.size(), 200u);
  EXPECT_THAT(found.error().message, testing::HasSubstr("… 499"));
}

TEST(FindLabel, TakesANumberForAPositionAndNothingElse) {
  const std::vector<std::string> ids = {"5", "1", "9"};
  EXPECT_EQ(find_label(ids, "0", "--row")->index, 0);
  EXPECT_EQ(find_label(ids, "1", "--row")->note, "") << "it is both";
  const auto beyond = find_label(ids, "9", "--row");
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message,
              testing::AllOf(testing::HasSubstr("from 0 to 2"), testing::HasSubstr("token:9")));
  EXPECT_EQ(find_label(ids, "token:9", "--row")->index, 2);
  EXPECT_EQ(find_label({"token:9", "9"}, "token:9", "--row")->index, 0);
}

TEST(DisplayWidth, CountsWhatATerminalShows) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("“é”"), 3);
  EXPECT_EQ(display_width("猫が"), 4);
  EXPECT_EQ(display_width("e\xCC\x81"), 1) << "e and a combining accent";
  EXPECT_EQ(display_width("\xff"), 1) << "a byte that is no UTF-8";
}

TEST(TextTable, AlignsColumnsByTheirSides) {
  TextTable table({Side::kLeft, Side::kRight});
  table.add({"a", "10", "1"});
  table.add({"猫", "5"}, "note");
  table.add({"ccc", "", ""});
  EXPECT_EQ(table.text(),
            "a    10  1\n"
            "猫    5  note\n"
            "ccc\n");
}

}  // namespace
}  // namespace lab::test
