#include "app/lessons/reading/rich_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/base/bad_input.h"
#include "app/base/typed_number.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"

namespace lab::samples {
namespace {

using ::testing::HasSubstr;
using Type = TextBlock::Type;
using Look = TextSpan::Look;

std::string looks(const RichText& text) {
  std::string all;
  for (const TextBlock& block : text) {
    all += all.empty() ? "" : "|";
    all += std::string(static_cast<std::size_t>(block.depth), '>') + block.marker;
    for (const TextSpan& span : block.spans) all += "[" + span.text + "]";
  }
  return all;
}

TEST(RichText, ParagraphsAndWordsHaveTheirLooks) {
  const RichText text = rich_text("One **two** *three*\nfour `five`.\n\n### Six\n\nSeven\\\neight");
  EXPECT_EQ(looks(text), "[One ][two][ ][three][ four ][five][.]|[Six]|[Seven\neight]");
  EXPECT_EQ(text[0].spans[1].look, Look::kStrong);
  EXPECT_EQ(text[0].spans[3].look, Look::kEmphasis);
  EXPECT_EQ(text[0].spans[5].look, Look::kCode);
  EXPECT_EQ(text[1].type, Type::kHeading);
}

TEST(RichText, ListsStandInEachOther) {
  EXPECT_EQ(looks(rich_text("- a\n- b\n  1. c\n  2. d\n- e")), ">•[a]|>•[b]|>>1.[c]|>>2.[d]|>•[e]");
  EXPECT_EQ(looks(rich_text("3. a\n\n   more\n\n4. b")), ">3.[a]|>[more]|>4.[b]");
}

TEST(RichText, CodeKeepsItsLines) {
  const RichText text = rich_text("```\na  b\n  c\n```\n\n> said");
  EXPECT_EQ(looks(text), "[a  b\n  c]|[said]");
  EXPECT_EQ(text[0].type, Type::kCode);
  EXPECT_EQ(text[1].type, Type::kQuote);
}

TEST(RichText, UnderscoresWithinNamesAreKept) {
  EXPECT_EQ(looks(rich_text("d_k and W_Q and b_K")), "[d_k and W_Q and b_K]");
}

TEST(RichText, NumbersFollowTheModel) {
  LiveDocument refer("refer");
  const RichText text = rich_text(
      "d is `= d_model`, it is `= d_k to 2`, `= column(largest(weights[1, it]))`, `= weights[9, "
      "a]`");
  EXPECT_EQ(plain_text(text, refer.live()), "d is 8, it is 4.00, animal, ?");
  refer.apply(SetSize{SizeId::kDModel, 6});
  EXPECT_THAT(plain_text(text, refer.live()), HasSubstr("d is 6,"));
}

TEST(RichText, ListsOfNumbersHaveSemicolonsBesideADecimalComma) {
  LiveDocument cat_sat("cat-sat");
  const RichText text = rich_text("It is `= 0.5`, `= 0.25`,\n`= 2`, and no more, `= 1` or two.");
  EXPECT_EQ(plain_text(text, cat_sat.live()), "It is 0.5, 0.25, 2, and no more, 1 or two.");
  set_decimal_comma(true);
  EXPECT_EQ(plain_text(text, cat_sat.live()), "It is 0,5; 0,25; 2, and no more, 1 or two.");
  set_decimal_comma(false);
}

TEST(RichText, WhatIsNotShownIsRefused) {
  EXPECT_THROW(rich_text("| a | b |\n|---|---|\n| 1 | 2 |"), BadInput);
  EXPECT_THROW(rich_text("a <b>c</b>"), BadInput);
  EXPECT_THROW(rich_text("<div>\n</div>"), BadInput);
  EXPECT_THROW(rich_text("`= 1 +`"), BadInput);
  EXPECT_THROW(rich_text("`= 1 to many`"), BadInput);
}

TEST(RichText, LinksAreTheirTextAndPicturesAreRefused) {
  EXPECT_EQ(looks(rich_text("[a](b) c")), "[a c]");
  EXPECT_THROW(rich_text("![c](d)"), BadInput);
}

TEST(PageText, HasLinksWithTheirTargets) {
  const RichText text = page_text("See [the *first* one](a.md#b), not [`c`](d).");
  ASSERT_EQ(looks(text), "[See ][the ][first][ one][, not ][c][.]");
  EXPECT_EQ(text[0].spans[0].target, "");
  for (const int i : {1, 2, 3}) EXPECT_EQ(text[0].spans[i].target, "a.md#b") << i;
  EXPECT_EQ(text[0].spans[4].target, "");
  EXPECT_EQ(text[0].spans[5].target, "d");
}

TEST(PageText, HasTables) {
  const RichText text = page_text("| a | **b** |\n|---|---|\n| [1](x) | |\n\nend");
  ASSERT_EQ(text.size(), 2U);
  EXPECT_EQ(text[0].type, Type::kTable);
  ASSERT_EQ(text[0].rows.size(), 2U);
  EXPECT_EQ(text[0].rows[0][1].at(0).look, Look::kStrong);
  EXPECT_EQ(text[0].rows[1][0].at(0).target, "x");
  EXPECT_TRUE(text[0].rows[1][1].empty());
  EXPECT_EQ(text[1].spans.at(0).text, "end");
}

TEST(PageText, HasHeadingsWithLevelsAndNoLiveNumbers) {
  const RichText text = page_text("# A\n\n### B\n\n`= d_k`");
  EXPECT_EQ(text[0].level, 1);
  EXPECT_EQ(text[1].level, 3);
  EXPECT_EQ(text[2].spans.at(0).text, "= d_k");
  EXPECT_FALSE(text[2].spans.at(0).live);
}

TEST(PageText, RefusesWhatIsNotShown) {
  EXPECT_THROW(page_text("a <b>c</b>"), BadInput);
  EXPECT_THROW(page_text("![c](d)"), BadInput);
}

TEST(FormulaText, IsPlain) {
  EXPECT_EQ(formula_text(R"(QK^\top / \sqrt{d_k})"), "QKᵀ / √d_k");
  EXPECT_EQ(formula_text(R"(\frac{QK^T}{\sqrt{d_k}})"), "QKᵀ / √d_k");
  EXPECT_EQ(formula_text(R"(\frac{a + b}{2})"), "(a + b) / 2");
  EXPECT_EQ(formula_text(R"(n^2 \cdot h \times d_1)"), "n² · h × d₁");
  EXPECT_EQ(formula_text(R"(e^{x_i} - \epsilon)"), "e^(xᵢ) − ε");
  EXPECT_EQ(formula_text(R"(\mathrm{softmax}(x))"), "softmax(x)");
  EXPECT_EQ(formula_text(R"(-\ln p)"), "−ln p");
  EXPECT_EQ(formula_text(R"(\unknown{x})"), "\\unknownx");
}

TEST(FormulaText, ThatIsBrokenEndsSomehow) {
  for (const char* text : {"\\", "{", "}", "^", "_", "\\frac", "\\frac{a", "\\sqrt", "x^{", "\\{"})
    formula_text(text);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "{";
  EXPECT_LE(formula_text(deep).size(), deep.size());
}

}  // namespace
}  // namespace lab::samples
