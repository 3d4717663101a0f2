#include "app/lessons/paper/worksheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/figure/figure_writers.h"
#include "app/files/open.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/document/samples.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"

namespace lab::samples {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

Document whole_numbers() {
  return open_document(assets_folder() + "/lessons/whole-numbers.json").value();
}

// Every text on the pages but the title and the numbers of pages, in painting order.
std::vector<std::string> texts_on(const std::vector<Figure>& pages) {
  std::vector<std::string> texts;
  for (const Figure& page : pages)
    for (const Shape& shape : page.shapes)
      if (const auto* text = std::get_if<shape::Text>(&shape)) texts.push_back(text->text);
  return texts;
}

std::size_t boxes_on(const std::vector<Figure>& pages) {
  std::size_t count = 0;
  for (const Figure& page : pages)
    count += static_cast<std::size_t>(std::ranges::count_if(page.shapes, [](const Shape& shape) {
      return std::holds_alternative<shape::Frame>(shape);
    }));
  return count;
}

TEST(Worksheet, TheKeyFillsWhatTheSheetLeavesOut) {
  const auto sheet = session_worksheet(whole_numbers(), {}).value();
  const auto key = session_worksheet(whole_numbers(), {.answers = true}).value();
  const auto on_sheet = texts_on(sheet), on_key = texts_on(key);
  EXPECT_EQ(boxes_on(sheet), boxes_on(key));
  EXPECT_GT(on_key.size(), on_sheet.size() + 10);
  EXPECT_THAT(on_sheet, Contains("Name"));
  EXPECT_THAT(on_key, Contains(HasSubstr("answers")));
}

// By hand: Q is [1 0] [2 2] [2 4], K is [1 1] [1 2] [0 2].
TEST(Worksheet, NumbersAreThoseOfTheModel) {
  const auto key = texts_on(session_worksheet(whole_numbers(), {.answers = true}).value());
  const auto scores = std::ranges::find(key, "Scores");
  ASSERT_NE(scores, key.end());
  const std::vector<std::string> cells(scores, std::min(scores + 17, key.end()));
  for (const char* number : {"0", "1", "4", "6", "8", "10"}) EXPECT_THAT(cells, Contains(number));
  EXPECT_THAT(cells, Each(Not(HasSubstr("."))));
}

TEST(Worksheet, TablesHaveTheDigitsThatAreAskedFor) {
  const auto most_decimals = [](int digits) {
    std::size_t most = 0;
    for (const std::string& text :
         texts_on(session_worksheet(whole_numbers(), {.answers = true, .digits = digits}).value()))
      if (const auto point = text.find('.'); point != text.npos && text.starts_with("0"))
        most = std::max(most, text.size() - point - 1);
    return most;
  };
  EXPECT_EQ(most_decimals(2), 2u);
  EXPECT_EQ(most_decimals(5), 5u);
}

TEST(Worksheet, ASeedGivesOtherNumbersOfTheSameKind) {
  const Document first = with_random_numbers(whole_numbers(), 1).value();
  EXPECT_EQ(fingerprint(first), fingerprint(with_random_numbers(whole_numbers(), 1).value()));
  EXPECT_NE(fingerprint(first), fingerprint(with_random_numbers(whole_numbers(), 2).value()));
  EXPECT_EQ(first.sentence, whole_numbers().sentence);
  const attention::Matrix& weights = *first.problem.parameters.heads[0].W_Q;
  EXPECT_TRUE((weights.array() == weights.array().round()).all());
  EXPECT_NE(weights, *whole_numbers().problem.parameters.heads[0].W_Q);
}

TEST(Worksheet, SheetsOfOneSeedAreTheSameByteForByte) {
  const auto pdf = [](std::uint64_t seed) {
    return write_pdf_pages(session_worksheet(whole_numbers(), {.seed = seed}).value(), {}).value();
  };
  EXPECT_EQ(pdf(7), pdf(7));
  EXPECT_NE(pdf(7), pdf(8));
}

TEST(Worksheet, WhatDoesNotFitOnPaperIsRefused) {
  const auto pages = session_worksheet(open_document("paper-size").value(), {});
  ASSERT_FALSE(pages);
  EXPECT_THAT(pages.error().message, HasSubstr("too large for a page"));
}

TEST(Worksheet, ThereMustBeSuchAHead) {
  const auto pages = session_worksheet(whole_numbers(), {.head = 1});
  ASSERT_FALSE(pages);
  EXPECT_THAT(pages.error().message, HasSubstr("no head 2; there are heads 1 to 1"));
}

const std::string kPaperLesson = kFront + R"(
## Numbers
```lab
open cat-sat
```
```question number
How much is it?

answer: scores[1, Cat, sat]
```
```question make
Make it so.

until: causal
solution: {"do":"set_mask","mask":"causal"}
```
## Words
```question choice
Which one?

- [= causal] the first
- [ ] the second
```
```question text
Say it.

right: So.
```
)";

TEST(Worksheet, OfALessonHasItsQuestions) {
  const auto sheet = texts_on(lesson_worksheet(lesson_of(kPaperLesson), "", {}).value());
  EXPECT_THAT(sheet, IsSupersetOf({"1. How much is it? (±0.005)",
                                   "2. ☐  On the computer: Make it so.", "3. Which one?",
                                   "4. Say it.", "Numbers", "Words", "☐  the first", "G"}));
  EXPECT_THAT(sheet, Contains(HasSubstr("Q"))) << "what the answer is computed from";
  EXPECT_THAT(sheet, Not(Contains("0.72"))) << "the answer itself";
  EXPECT_THAT(sheet, Not(Contains("So.")));
}

TEST(Worksheet, TheKeyOfALessonHasItsAnswers) {
  const auto key =
      texts_on(lesson_worksheet(lesson_of(kPaperLesson), "", {.answers = true}).value());
  EXPECT_THAT(key, IsSupersetOf({"0.72", "☒  the first", "☐  the second", "So."}));
}

const std::string kReading = kFront + R"(
## First
```lab
open cat-sat
```
Look at *Cat* and its `= d_k` numbers.

- one
- two

```question number
How much is it?

answer: scores[1, Cat, sat]
```
## Then
Before it was `= scores[1, Cat, sat] to 2`, beside `= scores[1, Cat, Cat] to 2`.

```question number
What is the most?

answer: max(weights[1, Cat])
```
```question cell
Click the most.

answer: largest(weights[1, Cat])
```
```question number
And of *sat*?

answer: weights[1, sat, sat]
```
)";

std::vector<std::string> reading(bool answers) {
  return texts_on(lesson_worksheet(lesson_of(kReading), "", {.answers = answers}).value());
}

TEST(Worksheet, OfALessonHasItsText) {
  EXPECT_THAT(reading(false),
              IsSupersetOf({"Look at “Cat” and its 2 numbers.", "•  one", "•  two"}));
}

TEST(Worksheet, LeavesOutWhatIsAskedForInMatricesAndText) {
  EXPECT_THAT(reading(false), Contains("Before it was ______, beside 0.84."));
  EXPECT_THAT(reading(true), Contains("Before it was 0.72, beside 0.84."));
  const auto sheet = reading(false), key = reading(true);
  EXPECT_THAT(sheet, IsSupersetOf({"Scores", "0.84"})) << "the matrix around it";
  EXPECT_EQ(std::ranges::count(key, "0.72") - std::ranges::count(sheet, "0.72"), 2)
      << "in the matrix and as the answer";
  EXPECT_EQ(std::ranges::count(sheet, "0.54"), 0) << "a later question asks for it";
}

TEST(Worksheet, ShowsWhereAnAnswerIsFoundAndThatOnce) {
  const auto sheet = reading(false);
  EXPECT_EQ(std::ranges::count(sheet, "Weights"), 1);
  EXPECT_THAT(sheet, Contains("Circle it."));
}

TEST(Worksheet, ForgetsWhatWasAskedOfOtherNumbers) {
  for (const char* change : {"open cat-sat", R"(apply {"do":"set_temperature","value":2})"}) {
    const std::string text =
        kReading + "## Again\n```lab\n" + change +
        "\n```\nIt is `= scores[1, Cat, sat] to 2`.\n"
        "```question choice\nWhich?\n\ntable: weights[1]\n- [x] this\n- [ ] that\n```\n";
    const auto sheet = texts_on(lesson_worksheet(lesson_of(text), "", {}).value());
    EXPECT_THAT(sheet, Contains("It is 0.72.")) << change;
    EXPECT_EQ(std::ranges::count(sheet, "Weights"), 2) << change;
  }
}

// A lesson of two steps about one model, the text and the questions of each.
std::vector<std::string> two_steps(const std::string& first, const std::string& second,
                                   bool answers = false) {
  const std::string text =
      kFront + "## One\n```lab\nopen cat-sat\n```\n" + first + "\n## Two\n" + second + "\n";
  return texts_on(lesson_worksheet(lesson_of(text), "", {.answers = answers}).value());
}

std::string number_question(const std::string& answer) {
  return "```question number\nWhat is it?\n\nanswer: " + answer + "\n```\n";
}

TEST(Worksheet, WhatALaterStepAsksForIsLeftOutBefore) {
  const std::string before =
      "It is `= scores[1, Cat, sat] to 2`, `= 100 * scores[1, Cat, sat] to 0` per cent.\n\n";
  const auto sheet = two_steps(before + number_question("max(scores[1, sat])"),
                               number_question("scores[1, Cat, sat]"));
  EXPECT_THAT(sheet, Contains("It is ______, ______ per cent."));
  EXPECT_EQ(std::ranges::count(sheet, "0.72"), 0) << "in the matrix of the first step";
}

// The scaled score of an asked score tells it: 0.72 · √2 is the score of “sat” looking at “sat”.
TEST(Worksheet, NoTableOfALaterStageGivesAnAnswerAway) {
  const Lesson lesson = open_lesson("cat-sat-by-hand").value().reading.lesson;
  const auto sheet = texts_on(lesson_worksheet(lesson, "", {}).value());
  const auto key = texts_on(lesson_worksheet(lesson, "", {.answers = true}).value());
  for (const char* number : {"0.72", "0.7212"}) {
    EXPECT_THAT(sheet, Not(Contains(number)));
    EXPECT_THAT(key, Contains(number)) << "the key has it";
  }
  EXPECT_THAT(sheet, Contains("0.57")) << "what nobody asks for stays";
}

TEST(Worksheet, GoesOnWithTheEditedModel) {
  const std::string edit =
      "It is `= temperature`.\n\n```question make\nMore.\n\nuntil: temperature > 1\n"
      "solution: {\"do\":\"set_temperature\",\"value\":2}\n```\nNow `= temperature`.\n";
  EXPECT_THAT(two_steps(edit, "Still `= temperature`."),
              IsSupersetOf({"It is 1.", "Now 2.", "Still 2."}));
}

TEST(Worksheet, EachStepHasItsOwnMatrices) {
  const std::string question = number_question("max(weights[1, Cat])");
  EXPECT_EQ(std::ranges::count(two_steps(question + question, question), "Weights"), 2);
}

TEST(Worksheet, WhatAnotherAnswerIsComputedFromStays) {
  const auto sheet =
      two_steps(number_question("mean(scores[1, Cat])"), number_question("scores[1, Cat, sat]"));
  EXPECT_GT(std::ranges::count(sheet, "0.72"), 0);
}

TEST(Worksheet, AQuestionKeepsTheNumbersThatItTells) {
  const std::string tells =
      "```question number\nTwice `= Q[1, Cat, 0]`?\n\nanswer: 2 * Q[1, Cat, 0]\n```\n";
  EXPECT_THAT(two_steps(tells, number_question("Q[1, Cat, 0]")),
              Contains("1. Twice 0.9? (±0.005)"));
}

TEST(Worksheet, NothingOfALongTextIsLost) {
  std::string words;
  for (int i = 0; i < 1500; ++i) words += "word" + std::to_string(i) + " ";
  std::string all;
  for (const std::string& line : two_steps(words, "")) all += line + " ";
  EXPECT_THAT(all, HasSubstr("word1499"));
  EXPECT_THAT(all, HasSubstr("word600"));
}

TEST(Worksheet, TheKeyNamesEveryCellThatIsRight) {
  const auto key = two_steps(
      "```question cell\nClick one.\n\nanswer: scores[1, Cat, Cat]\nanswer: scores[1, sat, "
      "sat]\n```\n",
      "", true);
  EXPECT_THAT(key, IsSupersetOf({"Cat → Cat", "sat → sat"}));
}

TEST(Worksheet, TheKeyIsAsExactAsTheQuestion) {
  const auto key = two_steps(
      "```question number\nHow small?\n\nanswer: 0.0000123\ntolerance: 0.0000001\n```\n", "", true);
  EXPECT_THAT(key, Contains("0.0000123"));
}

TEST(Worksheet, SaysWhichQuestionIsTooLarge) {
  const std::string text =
      kFront + "## One\n```lab\nopen paper-size\n```\n" + number_question("weights[1, 0, 0]");
  const auto sheet = lesson_worksheet(lesson_of(text), "", {});
  ASSERT_FALSE(sheet);
  EXPECT_THAT(sheet.error().message, HasSubstr("too large for a page: Scaled scores, head 1"));
  EXPECT_THAT(sheet.error().message, HasSubstr("line "));
}

TEST(Worksheet, WhatIsOnlyReadMayBeTooLargeForAPage) {
  const std::string step =
      "## One\n```lab\nopen paper-size\n```\n"
      "```question choice\nWhich?\n\ntable: weights[1]\n- [x] this\n- [ ] that\n```\n";
  const auto sheet = lesson_worksheet(lesson_of(kFront + step), "", {});
  ASSERT_TRUE(sheet) << sheet.error().message;
  EXPECT_THAT(texts_on(*sheet), Contains("☐  this"));
}

TEST(Worksheet, OfALessonFollowsTheSeed) {
  Lesson lesson = lesson_of(kPaperLesson);
  const auto refused = lesson_worksheet(lesson, "", {.answers = true, .seed = 1});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("seeds: yes"));
  lesson.seeds = true;
  const auto texts = [&lesson](std::uint64_t seed) {
    return texts_on(lesson_worksheet(lesson, "", {.answers = true, .seed = seed}).value());
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

}  // namespace
}  // namespace lab::samples
