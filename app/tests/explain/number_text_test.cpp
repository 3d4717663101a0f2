#include "app/explain/number_text.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "app/base/machine_numbers.h"
#include "app/figure/compose/label_layout.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"
#include "core/embedding.h"

namespace lab {
namespace {

std::string printed(const char* format, int precision, double value) {
  char buffer[128];
  std::snprintf(buffer, sizeof buffer, format, precision, value);
  return buffer;
}

/// Floats of every magnitude, with both signs.
std::vector<float> floats() {
  std::vector<float> values = {0, -0.0f, 1, -1, 0.5f, 9.995f, 99.95f, 9999.99f, -9999.99f, 1e38f};
  attention::PortableRandom random(1);
  for (int i = 0; i < 2000; ++i)
    values.push_back(std::ldexp(random.normal(), static_cast<int>(random.uniform() * 80) - 40));
  return values;
}

/// The decimals of a number with that many significant digits.
int place_of(float value, int digits) {
  return digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
}

TEST(FormatFixed, ReadsAsInTheExamples) {
  EXPECT_EQ(format_fixed(0.7f, 2), "0.70");
  EXPECT_EQ(format_fixed(-0.33f, 2), "-0.33");
  EXPECT_EQ(format_fixed(1.23e6f, 2), "1.2e+06");
  EXPECT_EQ(format_fixed(-1e38f, 2), "-1.0e+38");
  EXPECT_EQ(format_fixed(1234.5f, 2), "1234.50");
  EXPECT_EQ(format_fixed(12345.678f, 2), "1.2e+04");
  EXPECT_EQ(format_fixed(3, 0), "3");
}

TEST(AdaptiveText, KeepsTheSizeOfSmallNumbers) {
  EXPECT_EQ(adaptive_text(0.0071f, 2), "7.1e-3");
  EXPECT_EQ(adaptive_text(-0.00042f, 2), "-4.2e-4");
  EXPECT_EQ(adaptive_text(1e-20f, 2), "1.0e-20");
  EXPECT_EQ(adaptive_text(0.000712f, 3), "7.12e-4");
  EXPECT_EQ(adaptive_text(0.00412f, 3), "4.12e-3") << "not fewer digits than with 2 decimals";
  EXPECT_EQ(adaptive_text(0.00412f, 4), "0.0041");
  EXPECT_EQ(adaptive_text(0.012f, 3), "0.012");
  EXPECT_EQ(adaptive_text(0.01f, 2), "0.01");
  EXPECT_EQ(adaptive_text(0.00999f, 2), "0.01") << "not 1.0e-2";
  EXPECT_EQ(adaptive_text(0.7f, 2), "0.70");
  EXPECT_EQ(adaptive_text(-0.0f, 2), "0.00");
  EXPECT_EQ(adaptive_text(kInfinity, 2), "∞");
}

TEST(AdaptiveText, IsZeroOnlyForZero) {
  for (const float value : floats())
    for (const int decimals : {0, 1, 2, 3, 4, 5, 6}) {
      const bool zero =
          adaptive_text(value, decimals).find_first_of("123456789") == std::string::npos;
      EXPECT_EQ(zero, value == 0) << value;
    }
}

TEST(FormatFixed, ZeroHasNoSign) {
  EXPECT_EQ(format_fixed(-0.0f, 2), "0.00");
  EXPECT_EQ(format_fixed(-0.004f, 2), "0.00");
  EXPECT_EQ(format_fixed(-0.006f, 2), "-0.01");
  EXPECT_EQ(format_significant(-0.0f, 2), "0");
}

TEST(Format, NamesWhatIsNoNumber) {
  for (const auto format : {&format_fixed, &format_significant}) {
    EXPECT_EQ(format(std::numeric_limits<float>::quiet_NaN(), 2), "NaN");
    EXPECT_EQ(format(kInfinity, 2), "∞");
    EXPECT_EQ(format(-kInfinity, 2), "−∞");
  }
}

TEST(FormatFixed, AgreesWithPrintfWhereItIsShortEnough) {
  for (const float value : floats())
    for (const int decimals : {0, 2, 3}) {
      const std::string text = printed("%.*f", decimals, with_halves_away(value, decimals));
      const std::string ours = format_fixed(value, decimals);
      if (ours.find('e') != std::string::npos) {
        EXPECT_GT(text.size(), 7u);
        EXPECT_EQ(ours, printed("%.*e", 1, with_halves_away(value, place_of(value, 2))));
      } else if (ours != text) {
        EXPECT_EQ("-" + ours, text);
        EXPECT_EQ(std::stof(ours), 0) << text;
      }
    }
}

TEST(FormatSignificant, AgreesWithPrintf) {
  for (const float value : floats())
    for (const int digits : {1, 2, 3, 9}) {
      if (value == 0) continue;
      EXPECT_EQ(format_significant(value, digits),
                printed("%.*g", digits, with_halves_away(value, place_of(value, digits))));
    }
}

TEST(Format, TakesAnyNumberOfDigits) {
  EXPECT_EQ(format_fixed(0.5f, -3), "1");
  EXPECT_EQ(format_fixed(0.5f, 1000), "0.500000000");
  EXPECT_EQ(format_significant(0.5f, -3), "0.5");
  EXPECT_EQ(format_significant(0.25f, 1000), "0.25");
}

TEST(LabelStride, IsTheSmallestThatKeepsTheDistance) {
  EXPECT_EQ(label_stride(10, 20, 12), 1);
  EXPECT_EQ(label_stride(10, 12, 12), 1);
  EXPECT_EQ(label_stride(10, 11.9, 12), 2);
  for (const double apart : {0.3, 1.0, 2.5, 7.0, 40.0})
    for (const double needed : {1.0, 9.0, 33.0}) {
      const int stride = label_stride(1000, apart, needed);
      EXPECT_GE(stride * apart, needed - 1e-6);
      EXPECT_TRUE(stride == 1 || (stride - 1) * apart < needed);
    }
}

TEST(LabelStride, LeavesAtLeastTheFirst) {
  EXPECT_EQ(label_stride(5, 0.001, 100), 5);
  EXPECT_EQ(label_stride(5, 0, 100), 5);
  EXPECT_EQ(label_stride(5, -1, 100), 5);
  EXPECT_EQ(label_stride(0, 10, 100), 1);
  EXPECT_EQ(label_stride(7, std::nan(""), 100), 7);
}

TEST(NumberStride, CountsInStepsOfOneTwoAndFive) {
  EXPECT_EQ(number_stride(100, 10, 10), 1);
  EXPECT_EQ(number_stride(100, 10, 25), 5);
  EXPECT_EQ(number_stride(512, 1, 35), 50);
  EXPECT_EQ(number_stride(4096, 0.1, 30), 500);
}

TEST(ShorterTexts, GetShorterAndKeepTheirMeaning) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(shorter_texts(98000.25f, 2), (Texts{"9.8e+04", "98000", "1e5"}));
  EXPECT_EQ(shorter_texts(-40.25f, 2), (Texts{"-40.25", "-40.3", "-40"}));
  EXPECT_EQ(shorter_texts(-1e6f, 2), (Texts{"-1.0e+06", "-1.0e6", "-1e6"}));
  EXPECT_EQ(shorter_texts(0.25f, 2), (Texts{"0.25", "0.3"})) << "not 0";
  EXPECT_EQ(shorter_texts(0, 2), (Texts{"0.00", "0.0", "0"}));
  EXPECT_EQ(shorter_texts(-1.25e-30f, 2), (Texts{"-1.3e-30", "-1e-30"}));
  EXPECT_EQ(shorter_texts(0.0071f, 2), (Texts{"7.1e-3", "7e-3"}));
  EXPECT_EQ(shorter_texts(NAN, 2), (Texts{"NaN"}));
  EXPECT_EQ(shorter_texts(3.4e38f, 1).back(), "3e38");
}

TEST(CellTexts, HaveAnExponentOnlyWhereDecimalsAreMuchLonger) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(cell_texts(0.0071f, 2), (Texts{"0.0071", "0.007", "7e-3"}));
  EXPECT_EQ(cell_texts(-0.001f, 2), (Texts{"-0.0010", "-0.001", "-1e-3"}));
  EXPECT_EQ(cell_texts(0.00071f, 2), (Texts{"0.00071", "7.1e-4", "7e-4"}));
  EXPECT_EQ(cell_texts(-0.03f, 1), (Texts{"-0.030", "-0.03"}));
  EXPECT_EQ(cell_texts(-1.25e-30f, 2), (Texts{"-1.3e-30", "-1e-30"}));
  EXPECT_EQ(cell_texts(0.25f, 2), shorter_texts(0.25f, 2));
  EXPECT_EQ(cell_texts(NAN, 2), (Texts{"NaN"}));
}

std::vector<std::string> cells(const std::vector<float>& values, int digits, std::size_t room) {
  std::vector<std::string> texts;
  const auto notation = cell_notation(values, digits, room);
  if (!notation) return texts;
  for (const float value : values) texts.push_back(cell_text(value, *notation));
  return texts;
}

TEST(CellNotation, IsTheSameForAllNumbersOfAMap) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(cells({0.1f, 0.97f, 0.0071f}, 2, 6), (Texts{"0.10", "0.97", "0.0071"}));
  EXPECT_EQ(cells({0.1f, 0.97f, 0.0071f, 0.00002f}, 2, 6),
            (Texts{"0.10", "0.97", "7.1e-3", "2.0e-5"}));
  EXPECT_EQ(cells({0.1f, 0.97f, 0.0071f}, 2, 5), (Texts{"0.10", "0.97", "7e-3"}));
  EXPECT_EQ(cells({0.0099f, 0.01f, 0.0071f}, 2, 4), (Texts{"0.01", "0.01", "7e-3"}));
  EXPECT_EQ(cells({0.97f, 0.03f}, 2, 4), (Texts{"0.97", "0.03"}));
  EXPECT_EQ(cells({0.97f, 0.03f}, 2, 3), Texts{}) << "0.97 is not 1.0, and no cell is left blank";
  EXPECT_EQ(cells({12.34f, -5.678f, 0}, 2, 4), (Texts{"12.3", "-5.7", "0.0"}));
  EXPECT_EQ(cells({2, -1, 0}, 2, 2), (Texts{"2", "-1", "0"}));
  EXPECT_EQ(cells({0.123456f, 0.5f}, 6, 5), (Texts{"0.123", "0.500"}));
  EXPECT_EQ(cells({-HUGE_VALF, NAN, 1250000}, 2, 8), (Texts{"−∞", "NaN", "1.3e6"}));
}

TEST(Halves, GoAwayFromZeroAsOnPaper) {
  EXPECT_EQ(format_fixed(0.125f, 2), "0.13");
  EXPECT_EQ(format_fixed(-0.125f, 2), "-0.13");
  EXPECT_EQ(format_fixed(0.145f, 2), "0.15") << "the float is a little less";
  EXPECT_EQ(format_fixed(-0.145f, 2), "-0.15");
  EXPECT_EQ(format_fixed(0.1449999f, 2), "0.14");
  EXPECT_EQ(format_fixed(2.5f, 0), "3");
  EXPECT_EQ(format_fixed(1250000, 2), "1.3e+06");
  EXPECT_EQ(format_significant(0.0625f, 2), "0.063");
  EXPECT_EQ(rounded_digits(-0.125, 2), "-0.13");
  EXPECT_EQ(rounded_digits(2.9 * 0.05, 2), "0.15");
}

TEST(ExactText, HasNoZerosThatSayNothing) {
  EXPECT_EQ(exact_text(0.5f, 2, 6), "0.50");
  EXPECT_EQ(exact_text(0.125f, 2, 6), "0.125");
  EXPECT_EQ(exact_text(1.0f / 3, 2, 6), "0.333333");
  EXPECT_EQ(exact_text(0.7000001f, 2, 6), "0.700000") << "not exactly 0.7";
  EXPECT_EQ(exact_text(3, 0, 2), "3");
  EXPECT_EQ(exact_text(-7.1e-9f, 2, 6), adaptive_text(-7.1e-9f, 6));
  EXPECT_EQ(exact_text(kInfinity, 2, 6), "∞");
}

TEST(MinusSigns, AreThoseOfNumbers) {
  EXPECT_EQ(with_minus_signs("-0.33"), "−0.33");
  EXPECT_EQ(with_minus_signs("e^(-7.1e-3) ="), "e^(−7.1e−3) =");
  EXPECT_EQ(with_minus_signs("well-2 1-2 a-b −∞ -"), "well-2 1-2 a-b −∞ -");
}

TEST(RowSum, OfARowWithAnOverrideIsNotOne) {
  EXPECT_EQ(row_sum_text(1.0000002f), "1");
  EXPECT_EQ(row_sum_text(0.9997f), "0.9997");
  EXPECT_EQ(row_sum_text(1.00004f), "1.00004");
  EXPECT_EQ(row_sum_text(1.25f), "1.25");
  EXPECT_EQ(row_sum_text(0), "0");
}

}  // namespace
}  // namespace lab
