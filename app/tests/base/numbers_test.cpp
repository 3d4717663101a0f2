#include <gtest/gtest.h>

#include <cmath>

#include "app/base/machine_numbers.h"
#include "app/base/number_reading.h"
#include "app/base/typed_number.h"

namespace lab::test {
namespace {

TEST(SpeltNumber, IsAllOfTheText) {
  EXPECT_EQ(parse_number<int>("12"), 12);
  EXPECT_EQ(parse_number<double>("1e-3"), 0.001);
  for (const char* text : {"", "12 ", "1,5", "+1", "0x1", "99999999999"})
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
}

TEST(SpeltNumber, IsTakenOffTheFront) {
  std::string_view text = "12-7";
  EXPECT_EQ(take_number<int>(text), 12);
  EXPECT_EQ(text, "-7");
  text = "-";
  EXPECT_EQ(take_number<int>(text), std::nullopt);
  EXPECT_EQ(text, "-");
}

TEST(TypedDecimal, MarksAreThoseOfThePersonWhoTypes) {
  EXPECT_EQ(plain_decimal("0,52"), "0.52");
  EXPECT_EQ(plain_decimal(" − 3 "), "-3");
  EXPECT_EQ(plain_decimal("+1e5"), "1e5");
  EXPECT_EQ(plain_decimal("2 097 152,5"), "2097152.5");
  EXPECT_EQ(plain_decimal("1’024"), "1024");
  EXPECT_EQ(plain_decimal("1,024"), "1.024");
  EXPECT_EQ(decimal_with_thousands("1,024"), "1024");
}

TEST(TypedDecimal, MisplacedMarksAreRefused) {
  for (const char* text : {"--2", "+-3", "1 23", "12 34", "1.2.3", "0,123,456"})
    EXPECT_EQ(plain_decimal(text), std::nullopt) << text;
  for (const char* text : {"1024", "1,02", "0,512", "1,024.5"})
    EXPECT_EQ(decimal_with_thousands(text), std::nullopt) << text;
}

TEST(ReadNumber, TooSmallIsZeroAndTooLargeIsSaid) {
  EXPECT_EQ(read_number("1e-60").status, NumberStatus::kNumber);
  EXPECT_EQ(read_number("1e-60").value, 0);
  EXPECT_EQ(read_number("1e60").status, NumberStatus::kTooLarge);
}

TEST(Digits, AreTheFewestThatReadBack) {
  EXPECT_EQ(shortest_digits(0.7f), "0.7");
  EXPECT_EQ(shortest_digits(1e300), "1e+300");
  EXPECT_EQ(shortest_digits(-0.0f), "-0");
}

TEST(Digits, EndWithoutZeros) {
  EXPECT_EQ(rounded_digits(0.70, 4), "0.7");
  EXPECT_EQ(rounded_digits(100, 0), "100");
  EXPECT_EQ(rounded_digits(-12.004, 2), "-12");
  EXPECT_EQ(rounded_digits(1e308, 12).size(), 309u);
}

}  // namespace
}  // namespace lab::test
