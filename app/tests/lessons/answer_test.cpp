#include "app/lessons/answers/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/base/typed_number.h"
#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "app/translation/words.h"

namespace lab::samples {
namespace {

using ::testing::HasSubstr;

Question question_of(const std::string& type, const std::string& body) {
  const Lesson lesson =
      lesson_of(kFront + "## A\n```question " + type + "\nWhat?\n\n" + body + "\n```\n");
  return *questions_of(lesson.steps.at(0)).at(0);
}

class Answers : public ::testing::Test {
 protected:
  Judgement judged(const Question& question, const AnswerInput& input) {
    return judge(question, input, refer.live()).value();
  }
  Verdict number(const Question& question, const std::string& typed) {
    return judged(question, {{}, typed, {}}).verdict;
  }

  LiveDocument refer{"refer"};
};

TEST(TypedNumber, ReadsWhatPeopleWrite) {
  EXPECT_EQ(typed_number("0.52"), 0.52);
  EXPECT_EQ(typed_number(" 0,52 "), 0.52);
  EXPECT_EQ(typed_number("52 %"), 0.52);
  EXPECT_EQ(typed_number("13/25"), 0.52);
  EXPECT_EQ(typed_number("-3"), -3);
  EXPECT_EQ(typed_number("−3"), -3);
  EXPECT_EQ(typed_number("+3"), 3);
  EXPECT_EQ(typed_number("1e-2"), 0.01);
  EXPECT_EQ(typed_number("2 097 152"), 2097152);
  EXPECT_EQ(typed_number("2,097,152"), 2097152);
  EXPECT_EQ(typed_number("1,024"), 1.024);
  EXPECT_EQ(typed_number("2.097.152"), 2097152);
  EXPECT_EQ(typed_number("32'768"), 32768);
  EXPECT_EQ(typed_number("1,024.5"), 1024.5);
  EXPECT_EQ(typed_number("32’768"), 32768);
  EXPECT_EQ(typed_number("2.097.152,5"), 2097152.5);
  EXPECT_EQ(typed_number(".5"), 0.5);
  EXPECT_EQ(typed_number("- 0.18"), -0.18);
  for (const char* text : {"0.123.456", "1,23,456", "12,34,567", "0.5.123", "1.024.5", "1,2,345",
                           "3,141,59", "1234,567,890", "1 234,567.5", "1'234 567"})
    EXPECT_EQ(typed_number(text), std::nullopt) << text;
  for (const char* text : {"", "- -3", "+-3", "a", "0.5x", "1/0", "1/2/3", "%", "nan", "inf", "--1",
                           "1 2", "1 23", "1,2,3"})
    EXPECT_EQ(typed_number(text), std::nullopt) << text;
}

TEST_F(Answers, AMarkOfThousandsIsTakenAsTheAnswerWantsIt) {
  const Question large = question_of("number", "answer: 32768\ntolerance: 0");
  for (const char* text : {"32,768", "32.768", "32 768", "32768"})
    EXPECT_EQ(number(large, text), Verdict::kRight) << text;
  const Question small = question_of("number", "answer: 1.024\ntolerance: 0");
  EXPECT_EQ(number(small, "1,024"), Verdict::kRight);
  EXPECT_EQ(number(question_of("number", "answer: 512\ntolerance: 0"), "0,512"), Verdict::kWrong);
  EXPECT_EQ(number(question_of("number", "answer: 1234567\ntolerance: 0"), "1234,567"),
            Verdict::kWrong);
}

TEST_F(Answers, ANumberIsRightWithinItsTolerance) {
  const Question question = question_of("number", "answer: d_model / 16\ntolerance: 0.02");
  EXPECT_EQ(number(question, "0.5"), Verdict::kRight);
  EXPECT_EQ(number(question, "0.52"), Verdict::kRight);
  EXPECT_EQ(number(question, "0.53"), Verdict::kWrong);
  EXPECT_EQ(number(question, "half"), Verdict::kUnclear);
  EXPECT_THAT(judged(question, {{}, "-0.5", {}}).message, HasSubstr("look at the sign"));
}

TEST_F(Answers, TwoPlacesAreEnoughWhereNoToleranceIsGiven) {
  const Question question = question_of("number", "answer: weights[1, it, animal]");
  const double weight = refer.number("weights[1, it, animal]");
  EXPECT_EQ(number(question, plain_number(weight, 2)), Verdict::kRight);
  EXPECT_EQ(number(question, plain_number(weight + 0.01, 4)), Verdict::kWrong);
  EXPECT_EQ(tolerance_of(question, 1000), 5);
}

TEST_F(Answers, FollowTheModel) {
  const Question question = question_of("number", "answer: weights[1, it, animal]");
  const std::string before = plain_number(refer.number("weights[1, it, animal]"), 4);
  EXPECT_EQ(number(question, before), Verdict::kRight);
  refer.apply(SetTemperature{4});
  EXPECT_EQ(number(question, before), Verdict::kWrong);
}

TEST_F(Answers, ChoicesAreRightAllTogether) {
  const Question question =
      question_of("choice", "- [x] a\n- [ ] b\n  because: No.\n- [= d_model = 8] c\nwrong: Hm.");
  EXPECT_EQ(judged(question, {{0, 2}, {}, {}}).verdict, Verdict::kRight);
  EXPECT_EQ(judged(question, {{0}, {}, {}}).verdict, Verdict::kWrong);
  EXPECT_THAT(judged(question, {{0}, {}, {}}).message, HasSubstr("not complete"));
  EXPECT_EQ(judged(question, {{0, 1, 2}, {}, {}}).verdict, Verdict::kWrong);
  EXPECT_EQ(judged(question, {{}, {}, {}}).verdict, Verdict::kUnclear);
  EXPECT_EQ(plain_text(judged(question, {{1}, {}, {}}).feedback, refer.live()), "No.");
  EXPECT_EQ(plain_text(judged(question, {{1, 2}, {}, {}}).feedback, refer.live()), "Hm.");
  refer.apply(SetSize{SizeId::kDModel, 6});
  EXPECT_EQ(judged(question, {{0}, {}, {}}).verdict, Verdict::kRight);
}

TEST_F(Answers, CellsAreThoseThatAreMeant) {
  const Question question = question_of("cell", "answer: largest(weights[1, it])");
  const StageCell right = *refer.cell("weights[1, it, animal]").cell;
  const auto said = [&](StageCell cell) { return judged(question, {{}, {}, cell}); };
  EXPECT_EQ(said(right).verdict, Verdict::kRight);
  StageCell other = right;
  other.col = 2;
  EXPECT_EQ(said(other).verdict, Verdict::kWrong);
  other = right;
  other.head = 1;
  EXPECT_THAT(said(other).message, HasSubstr("look at head 1"));
  other.stage = attention::Stage::kScores;
  EXPECT_THAT(said(other).message, HasSubstr("map of weights"));
  EXPECT_EQ(judged(question, {}).verdict, Verdict::kUnclear);
}

TEST_F(Answers, EachCellOfAListIsRight) {
  const Question question = question_of("cell", "answer: weights[1, it]\nanswer: weights[2, 0, 0]");
  for (int col = 0; col < 11; ++col)
    EXPECT_EQ(judged(question, {{}, {}, StageCell{attention::Stage::kWeights, 0, 7, col}}).verdict,
              Verdict::kRight);
  EXPECT_EQ(judged(question, {{}, {}, StageCell{attention::Stage::kWeights, 1, 0, 0}}).verdict,
            Verdict::kRight);
}

TEST_F(Answers, WhatIsToBecomeTrueIsDoneOnceItIs) {
  const Question question = question_of("make",
                                        "until: temperature > 3\nsolution: "
                                        "{\"do\":\"set_temperature\",\"value\":4}");
  const Judgement before = judged(question, {});
  EXPECT_EQ(before.verdict, Verdict::kUnclear);
  EXPECT_THAT(before.message, HasSubstr("temperature = 1"));
  refer.apply(question.solution[0].command);
  EXPECT_EQ(judged(question, {}).verdict, Verdict::kRight);
}

TEST_F(Answers, WordsAreNotChecked) {
  const Question question = question_of("text", "right: We say so.");
  const Judgement judgement = judged(question, {{}, "whatever", {}});
  EXPECT_EQ(judgement.verdict, Verdict::kUnchecked);
  EXPECT_EQ(plain_text(judgement.feedback, refer.live()), "We say so.");
  EXPECT_EQ(judged(question, {{}, " \n", {}}).verdict, Verdict::kUnclear);
}

TEST_F(Answers, AreNotJudgedWithoutTheirWords) {
  const Question question = question_of("number", "answer: weights[1, it, animal]");
  refer.apply(SetSentence{"Another sentence"});
  const auto judgement = judge(question, {{}, "0.5", {}}, refer.live());
  ASSERT_FALSE(judgement);
  EXPECT_THAT(judgement.error().message, HasSubstr("no row \"it\""));
}

TEST_F(Answers, ThatAreOwnPassAndTheOthersDoNot) {
  for (const auto& [type, body] : std::vector<std::pair<std::string, std::string>>{
           {"number", "answer: weights[1, it, animal]"},
           {"number", "answer: -1000000 / 3\ntolerance: 0.5"},
           {"choice", "- [x] a\n- [ ] b\n- [x] c"},
           {"cell", "answer: largest(weights[1, it])"}}) {
    const Question question = question_of(type, body);
    EXPECT_EQ(judged(question, right_answer(question, refer.live()).value()).verdict,
              Verdict::kRight)
        << body;
    const auto wrong = wrong_answers(question, refer.live()).value();
    EXPECT_FALSE(wrong.empty());
    for (const AnswerInput& input : wrong)
      EXPECT_EQ(judged(question, input).verdict, Verdict::kWrong) << body;
  }
}

TEST_F(Answers, TheLastHintIsTheArithmetic) {
  const auto lines = [&](const std::string& type, const std::string& body) {
    return arithmetic_of(question_of(type, body), refer.live()).value();
  };
  EXPECT_THAT(lines("number", "answer: scores[1, it, animal]"),
              ::testing::Contains(HasSubstr("Q[it]")));
  EXPECT_THAT(lines("number", "answer: d_k * 2"), ::testing::ElementsAre("4 × 2 = 8"));
  EXPECT_THAT(lines("choice", "- [= d_k = 4] a\n- [ ] b"),
              ::testing::ElementsAre("d_k = 4", "4 = 4"));
  EXPECT_THAT(lines("make", "until: weights[1, it, animal] > 0.9 and scaled"),
              ::testing::ElementsAre("weights[1, it, animal] = 0.6981",
                                     "requested: weights[1, it, animal] > 0.9 and scaled"));
  EXPECT_THAT(lines("make", "until: causal"), ::testing::IsEmpty());
  EXPECT_THAT(lines("choice", "- [x] a\n- [ ] b"), ::testing::IsEmpty());
  EXPECT_THAT(lines("text", ""), ::testing::IsEmpty());
}

// German, with decimal commas, for the length of a test.
struct GermanWithComma {
  GermanWithComma() {
    set_language(Language::kGerman, assets_folder());
    set_decimal_comma(true);
  }
  ~GermanWithComma() {
    set_language(Language::kEnglish, assets_folder());
    set_decimal_comma(false);
  }
};

TEST_F(Answers, RepliesAreInTheLanguageAndWithTheMarkOfTheWindow) {
  const GermanWithComma german;
  const Question more = question_of("make", "until: weights[1, it, animal] > 0.9");
  EXPECT_EQ(judged(more, {}).message, "Noch nicht erreicht: Gewichte[1, it, animal] = 0,6981.");
  const Question number = question_of("number", "answer: 1");
  EXPECT_EQ(judged(number, {{}, "?", {}}).message, "Eine Zahl eingeben, etwa 0,52 oder −3.");
}

}  // namespace
}  // namespace lab::samples
