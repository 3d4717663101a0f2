#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <random>
#include <string>

#include "app/base/byte_text.h"
#include "app/base/machine_numbers.h"
#include "app/base/number_reading.h"
#include "app/base/typed_number.h"
#include "core/matrix.h"

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

// What from_chars of the standard library makes of a text, and what the C library makes of it.
template <typename Float>
void expect_same_number(const std::string& text) {
  const char *const first = text.data(), *const last = first + text.size();
  Float expected = 42, value = 42;
  const auto [end, error] = std::from_chars(first, last, expected);
  const auto [stop, problem] = from_characters_in_c(first, last, value);
  EXPECT_EQ(stop - first, end - first) << text;
  EXPECT_EQ(problem, error) << text;
  EXPECT_TRUE(attention::same_bits(static_cast<float>(value), static_cast<float>(expected)) &&
              (value == expected || std::isnan(value)))
      << text << ": " << value;
}

TEST(NumbersOfTheCLibrary, AreThoseOfFromChars) {
  for (const char* text :
       {"",     "-",     "+1",    " 1",           "1",
        "-0",   "0.5",   ".5",    "5.",           ".",
        "-.5",  "1e5",   "1e",    "1e+",          "1e-7x",
        "0x10", "inf",   "-INF",  "infinity",     "Infinit",
        "nan",  "-nan",  "1e400", "-1e400",       "1e-400",
        "1e39", "1e-46", "1e-45", "3.4028236e38", "0.1000000000000000055511151231257827",
        "1,5"}) {
    expect_same_number<float>(text);
    expect_same_number<double>(text);
    expect_same_number<long double>(text);
  }
  std::mt19937 random(1);
  constexpr std::string_view kLetters = "0123456789.-+eE";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t length = random() % 12; text.size() < length;)
      text += kLetters[random() % kLetters.size()];
    expect_same_number<float>(text);
    expect_same_number<double>(text);
    expect_same_number<long double>(text);
  }
}

TEST(Base64, IsThatOfTheStandard) {
  const std::array<std::string_view, 7> bytes{"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  const std::array<std::string_view, 7> texts{"",         "Zg==",     "Zm8=",    "Zm9v",
                                              "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(base64(bytes[i]), texts[i]);
    EXPECT_EQ(from_base64(texts[i]), bytes[i]);
  }
  for (const char* text : {"Z", "Zg", "Zg=", "Zh==", "Z===", "Zm9v=", "Zm 9v", "Zm9v\n", "Zm9-"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  EXPECT_EQ(base64("\xFF\xFE\xFB"), "//77");
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
