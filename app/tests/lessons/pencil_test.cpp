// Worksheets suit pencil and paper: words, numbers and pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/figure_writers.h"
#include "app/files/open.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/lessons/paper/worksheet.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/every_lesson.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

using Pages = std::vector<Figure>;

Pages sheet_of(const std::string& steps, bool answers = false) {
  const auto pages = lesson_worksheet(lesson_of(kFront + steps), "", {.answers = answers});
  return pages ? *pages : (ADD_FAILURE() << pages.error().message, Pages());
}

std::vector<std::string> words_of(const Pages& pages) {
  std::vector<std::string> texts;
  for (const Figure& page : pages)
    for (const Shape& shape : page.shapes)
      if (const auto* text = std::get_if<shape::Text>(&shape)) texts.push_back(text->text);
  return texts;
}

const std::string kOpen = "```lab\nopen cat-sat\nselect V[1, Cat, 0]\n```\n";

// The question of the lesson that speaks of the nearer one needs values that differ, and weights of
// which one is larger.
TEST(Pencil, OnEverySheetTheTwoWordsDiffer) {
  attention::Evaluator evaluator;
  for (const char* example : {"cat-sat", "de/cat-sat"}) {
    const std::string path = assets_folder() + "/lessons/" + example + ".json";
    const Document own = open_document(example == std::string("cat-sat") ? example : path).value();
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Document drawn = with_random_numbers(own, seed).value();
      const attention::Trace trace = evaluator.evaluate(drawn.problem);
      const auto& head = trace.heads.front();
      for (const auto& words : {head.Q, head.K, head.V})
        EXPECT_GT((words->row(0) - words->row(1)).norm(), 0.05f) << example << " " << seed;
      const auto weights = head.weights->row(0);
      EXPECT_GE(std::abs(weights(0) - weights(1)), 0.01f) << example << " " << seed;
      const auto& mixed = *head.head_output;
      const float to_first = (mixed.row(0) - head.V->row(0)).norm();
      const float to_second = (mixed.row(0) - head.V->row(1)).norm();
      EXPECT_EQ(to_first<to_second, weights(0)> weights(1)) << example << " " << seed;
    }
  }
}

TEST(Pencil, APageHasNoWordsForTheScreen) {
  const auto words = words_of(sheet_of("## One\n" + kOpen +
                                       "Both.\n```screen\nPress Esc.\n```\n```paper\nTake a "
                                       "ruler.\n```\n"
                                       "```question cell\nClick the *most*.\n\npaper: Find the "
                                       "*most*.\nanswer: largest(weights[1, Cat])\n```\n"));
  EXPECT_THAT(words, Contains("Both."));
  EXPECT_THAT(words, Contains("Take a ruler."));
  EXPECT_THAT(words, Contains("1. Find the “most”."));
  EXPECT_THAT(words, Not(Contains(HasSubstr("Esc"))));
  EXPECT_THAT(words, Not(Contains(HasSubstr("Click"))));
}

TEST(Pencil, AChoicePrintsOnlyTheMatricesThatItsAuthorNames) {
  const std::string choice = "```question choice\nWhich?\n\n- [x] this\n- [ ] that\n";
  const auto none = words_of(sheet_of("## One\n" + kOpen + choice + "```\n"));
  EXPECT_THAT(none, Not(Contains("V"))) << "what the step selects has nothing to do with it";
  const auto named =
      words_of(sheet_of("## One\n" + kOpen + choice + "table: W_Q[1]\ntable: scores[1]\n```\n"));
  EXPECT_THAT(named, Contains("Scores"));
  EXPECT_THAT(named, Contains(HasSubstr("W_Q")));
}

TEST(Pencil, ANumberIsAskedForBesideTheMatricesThatItsAuthorNames) {
  const std::string question = "```question number\nHow much?\n\nanswer: Q[1, Cat, 0]\n";
  const auto default_value = words_of(sheet_of("## One\n" + kOpen + question + "```\n"));
  EXPECT_THAT(default_value, Contains("Q"));
  const auto none = words_of(sheet_of("## One\n" + kOpen + question + "table: none\n```\n"));
  EXPECT_THAT(none, Not(Contains("Q")));
}

bool has_one_decimal(const attention::Matrix& values) {
  const auto tenths = values.array() * 10;
  return ((tenths - tenths.round()).abs() < 1e-3f).all();
}

// By hand, 0.4 × 1.41 + 1.13 × 0.61 is none.
TEST(Pencil, EverySeedGivesQueriesKeysAndValuesInTenths) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Document drawn = with_random_numbers(open_document("cat-sat").value(), seed).value();
    const attention::Matrix& X = *drawn.problem.embedding;
    EXPECT_TRUE((X.array() == X.array().round()).all()) << seed;
    attention::Evaluator evaluator;
    const auto& head = evaluator.evaluate(drawn.problem).heads[0];
    for (const auto& stage : {head.Q, head.K, head.V}) EXPECT_TRUE(has_one_decimal(*stage)) << seed;
    EXPECT_LE(head.weights->maxCoeff(), 0.95f) << seed << ": a row that shares nothing";
  }
}

TEST(Pencil, TenthsArePrintedAsTenths) {
  const auto words = words_of(sheet_of("## One\n" + kOpen +
                                       "```question number\nHow much?\n\nanswer: scores[1, Cat, "
                                       "Cat]\n```\n"));
  EXPECT_THAT(words, Contains("0.9"));
  EXPECT_THAT(words, Not(Contains("0.90")));
}

TEST(Pencil, ATableHasTheDecimalsThatItsQuestionAsksFor) {
  const std::string question =
      "```question number\nHow much?\n\nanswer: max(weights[1, Cat])\ntolerance: 0.0002\n```\n";
  EXPECT_THAT(words_of(sheet_of("## One\n" + kOpen + question)), Contains("0.5212"));
  const std::string rough = "```question number\nHow much?\n\nanswer: max(weights[1, Cat])\n```\n";
  const auto both = words_of(sheet_of("## One\n" + kOpen + rough + question));
  EXPECT_THAT(both, Contains("0.52"));
  EXPECT_THAT(both, Contains("0.5212")) << "printed again, as the second question needs it";
}

TEST(Pencil, TheKeyHasASolutionOfWhatIsDoneOnTheComputer) {
  const std::string make =
      "```question make\nWarmer.\n\nuntil: temperature > 1\nsolution: "
      "{\"do\":\"set_temperature\",\"value\":2}\n```\n";
  EXPECT_THAT(words_of(sheet_of("## One\n" + kOpen + make, true)),
              Contains("A solution: Temperature: 1 → 2"));
  EXPECT_THAT(words_of(sheet_of("## One\n" + kOpen + make)), Not(Contains(HasSubstr("solution"))));
}

// The lowest text of a page that is not its number.
std::string last_words(const Figure& page) {
  const shape::Text* last = nullptr;
  for (const Shape& shape : page.shapes)
    if (const auto* text = std::get_if<shape::Text>(&shape);
        text && text->y < page.height - 40 && (!last || text->y > last->y))
      last = text;
  return last ? last->text : "";
}

TEST(Pencil, NoHeadingEndsAPage) {
  for (int lines = 20; lines < 45; ++lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "A line of text that explains something.\n\n";
    const std::string edit =
        "```question make\n" + std::string(500, 'w') + " " + std::string(300, 'v') +
        "\n\nuntil: causal\nsolution: {\"do\":\"set_mask\",\"causal\":true}\n```\n";
    const std::string more = text.substr(0, text.size() / 2);  // so that no page is nearly empty
    for (const Figure& page : sheet_of("## One\n" + kOpen + text + "## Two\n" + edit + more))
      EXPECT_NE(last_words(page), "Two") << lines;
  }
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    for (const char* example : {"refer", "cat-sat"}) {
      const auto pages = session_worksheet(open_document(example).value(), {.seed = seed});
      for (const Figure& page : pages.value())
        EXPECT_NE(last_words(page), "Fill in the blanks") << example;
    }
}

TEST(Pencil, ASessionSaysWhatToDivideByAndHowToRound) {
  const auto words = words_of(session_worksheet(open_document("refer").value(), {}).value());
  EXPECT_THAT(words,
              Contains(HasSubstr("Divide the scores by √d_k = √4 = 2. Round to 2 decimals; ")));
}

// K of the example is 0.8 where W_K 0.42 instead of 0.4151 gives 0.805.
TEST(Pencil, AnswersFollowFromTheInputsThatArePrinted) {
  const auto words = words_of(session_worksheet(open_document("cat-sat").value(), {}).value());
  EXPECT_THAT(words, Contains("0.4151"));
  EXPECT_THAT(words, Not(Contains("0.42")));
}

TEST(Pencil, ANumberSaysHowExactItHasToBe) {
  const std::string question = "```question number\nHow much?\n\nanswer: Q[1, Cat, 0]\n";
  EXPECT_THAT(words_of(sheet_of("## One\n" + kOpen + question + "```\n")),
              Contains(HasSubstr("(±0.005)")));
  EXPECT_THAT(words_of(sheet_of("## One\n" + kOpen + question + "tolerance: 0.02\n```\n")),
              Contains(HasSubstr("(±0.02)")));
}

// Sums of many products are of few and small numbers.
TEST(Pencil, ASeedSuitsAModelOfManyNumbersToo) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Document drawn = with_random_numbers(open_document("refer").value(), seed).value();
    attention::Evaluator evaluator;
    const attention::Trace trace = evaluator.evaluate(drawn.problem);
    for (const auto& head : trace.heads) {
      for (const auto& stage : {head.Q, head.K, head.V}) {
        EXPECT_TRUE(has_one_decimal(*stage)) << seed;
        EXPECT_LE(stage->cwiseAbs().maxCoeff(), 5) << seed;
      }
      EXPECT_LE(head.scores->cwiseAbs().maxCoeff(), 20) << seed;
    }
  }
}

// The share of a page, between its margins, that is written on.
double filled(const Figure& page) {
  constexpr double kMargin = 48;
  double lowest = kMargin;
  for (const Shape& shape : page.shapes) {
    if (const auto* text = std::get_if<shape::Text>(&shape); text && text->y < page.height - 40)
      lowest = std::max(lowest, text->y);
    if (const auto* line = std::get_if<shape::Fill>(&shape)) lowest = std::max(lowest, line->y);
  }
  return (lowest - kMargin) / (page.height - 2 * kMargin);
}

TEST(Pencil, AStepBeginsOnThePageWhereTheOneBeforeEnds) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "A line of text that explains something.\n\n";
  const Pages pages = sheet_of("## One\n" + kOpen + text + "## Two\n" + text.substr(0, 600) +
                               "\n```question number\nHow much?\n\nanswer: 1\n```\n");
  EXPECT_GT(filled(pages.front()), 0.85);
}

TEST(Pencil, ALittleSmallerPrintAvoidsANearlyEmptyPage) {
  for (int lines = 28; lines < 60; ++lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "A line of text that explains something.\n\n";
    const Pages pages = sheet_of("## One\n" + kOpen + text);
    EXPECT_TRUE(pages.size() == 1 || filled(pages.back()) > 0.28) << lines;
  }
}

// One long word does not make the numbers of all others small.
TEST(Pencil, ATableIsPrintedInLegibleSize) {
  const std::string lesson = assets_folder() + "/lessons/de/01-query-key-value.md";
  const auto opened = open_lesson(lesson).value();
  const auto pages = lesson_worksheet(opened.reading.lesson, opened.folder, {}).value();
  for (const Figure& page : pages)
    for (const Shape& shape : page.shapes) {
      const auto* text = std::get_if<shape::Text>(&shape);
      if (!text || text->y >= page.height - 40) continue;
      EXPECT_GE(text->size, 6.5) << text->text;
    }
}

class LessonOnPaper : public ::testing::TestWithParam<LessonInfo> {};

TEST_P(LessonOnPaper, CanBePrinted) {
  const auto opened = open_lesson(GetParam().path).value();
  const auto pages = lesson_worksheet(opened.reading.lesson, opened.folder, {.answers = true});
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_TRUE(write_pdf_pages(*pages, {}));
}

void expect_filled(const Pages& pages) {
  for (const Figure& page : pages) {
    const bool last = &page == &pages.back();
    EXPECT_GT(filled(page), !last              ? 0.75
                            : pages.size() > 1 ? 0.4
                                               : 0)
        << &page - &pages.front() + 1 << " of " << pages.size();
  }
}

TEST_P(LessonOnPaper, FillsItsPages) {
  const auto opened = open_lesson(GetParam().path).value();
  const auto pages_of = [&](bool answers) {
    return lesson_worksheet(opened.reading.lesson, opened.folder, {.answers = answers}).value();
  };
  expect_filled(pages_of(false));
  SCOPED_TRACE("answers");
  expect_filled(pages_of(true));
}

void expect_for_paper(const RichText& text) {
  for (const TextBlock& block : text)
    for (const TextSpan& span : block.spans)
      for (const char* word : {"click", "Click", "klick", "Klick", "press ", "Esc", "large map",
                               "Point at", "colour of", "Look at the row", "in the card",
                               "in der Karte", "Drücke", "große Heatmap", "Farbe ist"})
        EXPECT_EQ(span.text.find(word), span.text.npos) << span.text;
}

// Questions that are answered by an edit are for the computer on paper, too.
TEST_P(LessonOnPaper, TellsNobodyToClick) {
  const Lesson lesson = open_lesson(GetParam().path).value().reading.lesson;
  for (const Step& step : lesson.steps) {
    for (const auto& item : step.items) {
      const auto* passage = std::get_if<Passage>(&item);
      const auto* question = std::get_if<Question>(&item);
      if (passage && passage->medium != Medium::kScreen) expect_for_paper(passage->text);
      if (question && question->type != QuestionType::kMake)
        expect_for_paper(question->paper.empty() ? question->prompt : question->paper);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LessonOnPaper, ::testing::ValuesIn(every_lesson()), lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LessonOnPaper);

}  // namespace
}  // namespace lab::samples
