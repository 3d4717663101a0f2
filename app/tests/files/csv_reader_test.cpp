#include <cmath>

#include "app/files/import/csv.h"
#include "app/tests/decimal_comma.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using ::testing::HasSubstr;

// 1 2 / 3 4.5, whatever is around the numbers.
void expect_two_by_two(const std::string& text) {
  const auto values = read_csv(text);
  ASSERT_TRUE(values) << text << "\n" << values.error().message;
  Matrix expected(2, 2);
  expected << 1, 2, 3, 4.5f;
  EXPECT_EQ(values->rows(), 2) << text;
  ASSERT_EQ(values->cols(), 2) << text;
  EXPECT_EQ(*values, expected) << text;
}

TEST(CsvReader, ReadsWhatOthersWrite) {
  for (const char* text : {"1,2\n3,4.5\n",
                           "1,2\n3,4.5",
                           "1, 2\r\n3, 4.5\r\n",
                           "\xEF\xBB\xBF"
                           "1,2\n3,4.5\n",
                           "1;2\n3;4,5\n",
                           "1\t2\n3\t4,5\n",
                           "1 2\n3 4.5\n",
                           "  1   2 \n\t3\t4.5 \n",
                           "# by hand\n1.0e+00 2.0e+00\n3.0e+00 4.5e+00\n",
                           "1,2 \n\n3,4.5\n\n",
                           "a,b\n1,2\n3,4.5\n",
                           ",a,b\nx,1,2\ny,3,4.5\n",
                           "name,a,b\nx,1,2\ny,3,4.5\n",
                           "x,1,2\ny,3,4.5\n",
                           "a,b\nx,1,2\ny,3,4.5\n",
                           "\"1\",\"2\"\n\"3\",\"4.5\"\n",
                           "\"\",\"V1\",\"V2\"\n\"1\",1,2\n\"2\",3,4.5\n",
                           "1,2,\n3,4.5,\n",
                           ",0,1\n0,1,2\n1,3,4.5\n",
                           "\"a\nb\",1,2\n\"c,d\",3,4.5\n",
                           "#,1,2\n#tag,3,4.5\n",
                           "# 7,8\n1,2\n3,4.5\n"})
    expect_two_by_two(text);
}

TEST(CsvReader, ReadsBackWhatIsWrittenBitForBit) {
  HardNumbers random(5);
  const std::vector<std::string> rows = {"it", "#", "a,b", "\"", "\n", "7", ""};
  const Matrix values = random.matrix(7, 9);
  const std::vector<std::string> columns = {"0", "1", "2", "3", "4", "5", "6", "x,\ny", ""};
  for (const bool labels : {true, false}) {
    const auto read =
        read_csv(labels ? write_csv(values, rows, columns) : write_csv(values, {}, {}));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->rows(), 7);
    ASSERT_EQ(read->cols(), 9);
    for (Index i = 0; i < 7; ++i)
      for (Index j = 0; j < 9; ++j) EXPECT_TRUE(same_bits((*read)(i, j), values(i, j), true));
  }
}

TEST(CsvReader, ListsAreRowsOrColumns) {
  EXPECT_EQ(value_of(read_csv("1,2,3")).cols(), 3);
  EXPECT_EQ(value_of(read_csv("1\n2\n3\n")).rows(), 3);
  EXPECT_EQ(value_of(read_csv("7")).size(), 1);
}

TEST(CsvReader, NumbersDoNotFollowTheLocale) {
  const DecimalComma locale;
  expect_two_by_two("1,2\n3,4.5\n");
}

TEST(CsvReader, WhatIsNoNumberHasItsName) {
  const Matrix values = value_of(read_csv("nan,Infinity\n-inf,-0.0\n"));
  EXPECT_TRUE(std::isnan(values(0, 0)));
  EXPECT_TRUE(std::isinf(values(0, 1)) && std::isinf(values(1, 0)) && values(1, 0) < 0);
  EXPECT_TRUE(std::signbit(values(1, 1)));
}

TEST(CsvReader, TooManyNumbersAreRefusedAsSoonAsTheyAreSeen) {
  const auto values = read_csv("1,2\n3,4\nx,y\n", nullptr, 3);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message, "more than 3 numbers");
}

TEST(CsvReader, StopsWhenItIsTold) {
  attention::WorkWatch watch;
  watch.stop();
  EXPECT_THROW((void)read_csv("1,2\n3,4\n", &watch), attention::WorkStopped);
}

TEST(CsvReader, EveryDamagedFileIsReadOrRefusedWithAText) {
  for (const char* text : {",a,\"b,c\"\nx,1,-2.5\n\"y\",NaN,4e5\n", "# n\n1,5;2\r\n3;4\r\n"}) {
    damage(text, [](std::string_view damaged) {
      const auto values = read_csv(damaged);
      if (!values) {
        EXPECT_FALSE(values.error().message.empty());
      } else {
        EXPECT_GT(values->size(), 0);
      }
    });
  }
}

class BadCsv : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadCsv, IsRefusedWithItsReason) {
  const auto values = read_csv(GetParam().bytes);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().type, ErrorType::kBadInput);
  EXPECT_THAT(values.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadCsv,
    ::testing::Values(
        BadFile{"Word", "1,2\n3,x\n", "line 2, field 2: \"x\" is not a number"},
        BadFile{"WordInTheFirstLine", "1,x,3\n4,5,6\n", "line 1, field 2: \"x\" is not a number"},
        BadFile{"WordInTheFirstField", "1,2\nx,4\n", "line 2, field 1: \"x\" is not a number"},
        BadFile{"LabelCounts", "a,1,2\nb,3,x\n", "line 2, field 3: \"x\" is not a number"},
        BadFile{"HoleInEveryLine", "1,,3\n4,,6\n", "line 1, field 2 is empty"},
        BadFile{"NotAvailableInEveryLine", "1,NA,3\n4,NA,6\n",
                "line 1, field 2: \"NA\" is not a number"},
        BadFile{"ThousandsInTheFirstField", "1.234,5;2;3\n2.345,6;5;6\n",
                "line 1, field 1: \"1.234,5\" is not a number"},
        BadFile{"Letter", "1,2\n3,1O\n", "line 2, field 2: \"1O\" is not a number"},
        BadFile{"TwoPoints", "1,2\n3,1.2.3\n", "line 2, field 2: \"1.2.3\" is not a number"},
        BadFile{"Thousands", "1;2\n1.234,5;6\n", "line 2, field 1: \"1.234,5\" is not a number"},
        BadFile{"TwoNumbersInAField", "1,2\n3,4 5\n", "line 2, field 2: \"4 5\" is not a number"},
        BadFile{"Percent", "1,2\n3,45%\n", "line 2, field 2: \"45%\" is not a number"},
        BadFile{"Hexadecimal", "1,2\n3,0x10\n", "line 2, field 2: \"0x10\" is not a number"},
        BadFile{"Complex", "1,2\n3,1+2j\n", "line 2, field 2: \"1+2j\" is not a number"},
        BadFile{"TwoSigns", "1,2\n3,--4\n", "line 2, field 2: \"--4\" is not a number"},
        BadFile{"PlusMinus", "1,2\n3,+-4\n", "line 2, field 2: \"+-4\" is not a number"},
        BadFile{"SignAlone", "1,2\n3,-\n", "line 2, field 2: \"-\" is not a number"},
        BadFile{"HalfAnExponent", "1,2\n3,1e\n", "line 2, field 2: \"1e\" is not a number"},
        BadFile{"Formula", "1,2\n3,=A1\n", "line 2, field 2: \"=A1\" is not a number"},
        BadFile{"Date", "1,2\n3,2020-01-01\n", "line 2, field 2: \"2020-01-01\" is not a number"},
        BadFile{"NotAvailable", "1,2\n3,NA\n", "line 2, field 2: \"NA\" is not a number"},
        BadFile{"Control", "1,2\n3,\x01\n", "line 2, field 2: \"␁\" is not a number"},
        BadFile{"Nul", std::string("1,2\n3,\0004\n", 9), "line 2, field 2: \"␀4\" is not a number"},
        BadFile{"NoUtf8", "1,2\n3,\xFF\n", "line 2, field 2: \"⟨FF⟩\" is not a number"},
        BadFile{"BeyondFloat", "1,2\n3,1e39\n", "field 2: \"1e39\" is beyond the range of float32"},
        BadFile{"BeyondDouble", "1,2\n-1e999,4\n",
                "field 1: \"-1e999\" is beyond the range of float32"},
        BadFile{"LongNumber", "1,2\n3," + std::string(500, '1') + "\n", "…\" is not a number"},
        BadFile{"Cut", "1,2\n3,4\n5,6e+", "line 3, field 2: \"6e+\" is not a number"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Shape, BadCsv,
    ::testing::Values(
        BadFile{"TooFewFields", "1,2,3\n4,5\n", "line 2 has 2 fields, line 1 has 3"},
        BadFile{"TooManyFields", "1,2\n3,4,5\n", "line 2 has 3 fields, line 1 has 2"},
        BadFile{"LinesCountWithComments", "# a\n\n1 2\n3\n", "line 4 has 1 field, line 3 has 2"},
        BadFile{"EmptyField", "1,2,3\n4,,6\n", "line 2, field 2 is empty"},
        BadFile{"EmptyFirstField", "1,2,3\n,5,6\n", "line 2, field 1 is empty"},
        BadFile{"BlankField", "1,2,3\n4, ,6\n", "line 2, field 2 is empty"},
        BadFile{"ManyLabels", "a,b,c,d\n1,2\n", "line 2 has 2 fields, the line of labels has 4"},
        BadFile{"FewLabels", "a,b\n1,2,3,4\n", "line 2 has 4 fields, the line of labels has 2"},
        BadFile{"TwoLinesOfLabels", "a,b\nc,d\n1,2\n", "line 2, field 2: \"d\" is not a number"},
        BadFile{"LabelsInTheMiddle", "1,2\na,b\n", "line 2, field 1: \"a\" is not a number"},
        BadFile{"OtherSeparator", "1,2\n3;4\n", "line 2 has 1 field, line 1 has 2"},
        BadFile{"CommaAfterSemicolon", "1;2\n3;4\n5,6\n", "line 3 has 1 field, line 1 has 2"},
        BadFile{"BlanksAfterCommas", "1,2\n3 4\n", "line 2 has 1 field, line 1 has 2"}),
    case_name<BadFile>);

INSTANTIATE_TEST_SUITE_P(
    Text, BadCsv,
    ::testing::Values(
        BadFile{"Empty", "", "none of its first lines holds numbers"},
        BadFile{"LineEnds", "\n\r\n\n", "none of its first lines holds numbers"},
        BadFile{"MarkAlone", "\xEF\xBB\xBF", "none of its first lines holds numbers"},
        BadFile{"Words", "hello,world\n", "none of its first lines holds numbers"},
        BadFile{"CommentsAlone", "# 1 2\n# 3 4\n", "none of its first lines holds numbers"},
        BadFile{"OpenQuotes", "1,2\n\"3,4\n", "the file ends inside quotes"},
        BadFile{"QuoteInAField", "1,2\n3\"5,4\n", "line 2 has a misplaced quote"},
        BadFile{"LettersBehindQuotes", "1,2\n\"3\"5,4\n", "line 2 has a misplaced quote"},
        BadFile{"LongLine", "1,2\n" + std::string(kLongestCsvLine, '1'),
                "line 2 is longer than 1048576 bytes"},
        BadFile{"LongQuotes", "1,2\n\"" + std::string(kLongestCsvLine, '\n'),
                "or quotes before it are not closed"},
        BadFile{"OneLongLine", std::string(kLongestCsvLine + 1, ' ') + "1",
                "none of its first lines holds numbers"}),
    case_name<BadFile>);

}  // namespace
}  // namespace lab
