#include "app/lessons/lesson_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/document/commands/reducer.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/document/samples.h"
#include "app/tests/every_lesson.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kTwoSteps = kFront + R"(## One
```lab
open refer
lock weights
```
```question number
How many?

answer: seq_len
hint: Count.
```
```question make
Hide the future.

until: causal
solution: {"do":"set_mask","mask":"causal"}
```
## Two, "again"
```lab
head 2
```
```question choice
Which?

- [x] this, "yes"
- [ ] that
```
)";

LessonRun::Time at(int second) {
  return LessonRun::Time(std::chrono::seconds(1'700'000'000 + second));
}

class Run : public ::testing::Test {
 protected:
  void SetUp() override { document = run.begin().value().document; }
  Snapshot live() { return {document, evaluator.evaluate(document.problem)}; }
  Verdict say(std::size_t question, const AnswerInput& input) {
    return run.answer(question, input, live(), at(second++)).value().verdict;
  }
  void go_to(std::size_t place) { document = run.go_to(place, document).value().document; }

  LessonRun run{lesson_of(kTwoSteps), ""};
  Document document;
  attention::Evaluator evaluator;
  int second = 0;
};

TEST(LongRun, AStepIsTheSameHoweverItIsReached) {
  LessonRun run(
      lesson_of(kFront +
                "## One\n```lab\nopen refer\n```\nText.\n## Two\n```lab\nopen cat-sat\n"
                "apply {\"do\":\"set_scale\",\"on\":false}\n```\nText.\n## Three\nText.\n"),
      "");
  Document document = run.begin().value().document;
  document = run.go_to(2, document).value().document;
  EXPECT_EQ(run.step_index(), 2U);
  EXPECT_EQ(document.sentence, "Cat sat");
  EXPECT_FALSE(document.problem.config.scale);
  const Document edited = lab::apply(document, SetScale{true}).value();
  EXPECT_FALSE(run.go_to(1, edited).value().document.problem.config.scale)
      << "the step that was jumped over knows nothing of later edits";
}

TEST(LongRun, TellsWhichQuestionsAreOpen) {
  LessonRun run(lesson_of(kTwoSteps), "");
  using Open = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(run.open_questions(), (Open{{0, 0}, {0, 1}, {1, 0}}));
  const Document document = run.begin().value().document;
  attention::Evaluator evaluator;
  const Snapshot live{document, evaluator.evaluate(document.problem)};
  EXPECT_TRUE(run.answer(0, {{}, "11", {}}, live, at(0)));
  EXPECT_EQ(run.open_questions(), (Open{{0, 1}, {1, 0}}));
}

TEST(LongRun, AStepThatCannotBeCarriedOutIsToldOnTheWayToo) {
  LessonRun run(
      lesson_of(kFront +
                "## One\nText.\n## Two\n```lab\nopen missing.json\n```\nText.\n## Three\nText.\n"),
      "");
  const Document document = run.begin().value().document;
  const auto entered = run.go_to(2, document);
  ASSERT_FALSE(entered);
  EXPECT_THAT(entered.error().message, HasSubstr("missing.json"));
  EXPECT_EQ(run.step_index(), 0U);
}

TEST_F(Run, KnowsWhatIsSolved) {
  EXPECT_EQ(run.question_count(), 3u);
  EXPECT_EQ(say(0, {{}, "10", {}}), Verdict::kWrong);
  EXPECT_EQ(say(0, {{}, "?", {}}), Verdict::kUnclear);
  EXPECT_EQ(run.state(0).tries, 1);
  EXPECT_EQ(run.solved_count(), 0u);
  EXPECT_EQ(say(0, {{}, "11", {}}), Verdict::kRight);
  EXPECT_EQ(run.solved_count(), 1u);
  EXPECT_EQ(say(0, {{}, "10", {}}), Verdict::kWrong);
  EXPECT_TRUE(run.state(0).solved) << "it was right once";
}

TEST_F(Run, HintsAreGivenOneAtATimeAndTheArithmeticLast) {
  EXPECT_TRUE(run.give_hint(0, live()));
  EXPECT_EQ(run.state(0).hints, 1);
  EXPECT_TRUE(run.give_hint(0, live()));
  EXPECT_FALSE(run.has_hint(0, live()));
  EXPECT_FALSE(run.give_hint(0, live()));
  EXPECT_EQ(run.state(0).hints, 2);
}

TEST_F(Run, StepsAreAsTheyWereLeft) {
  document = after(document, SetTemperature{2});
  const std::string left = fingerprint(document);
  const StepStart next = run.go_to(1, document).value();
  document = next.document;
  EXPECT_EQ(run.step_index(), 1u);
  EXPECT_EQ(next.view.head, 1);
  EXPECT_EQ(fingerprint(document), left) << "the next step goes on from there";
  document = after(document, SetTemperature{3});
  const std::string second_left = fingerprint(document);
  go_to(0);
  EXPECT_EQ(fingerprint(document), left);
  go_to(1);
  EXPECT_EQ(fingerprint(document), second_left);
  EXPECT_EQ(run.reset_step().document.problem.config.temperature, 2);
}

TEST_F(Run, AnswersOfEveryStepAreKept) {
  say(0, {{}, "11", {}});
  go_to(1);
  EXPECT_EQ(run.questions().size(), 1u);
  EXPECT_FALSE(run.state(0).solved);
  go_to(0);
  EXPECT_TRUE(run.state(0).solved);
}

TEST_F(Run, AStepThatCannotBeginChangesNothing) {
  LessonRun broken(lesson_of(kFront + "## A\n```lab\nopen refer\n```\n## B\n```lab\nhead 9\n```\n"),
                   "");
  const Document begun = broken.begin().value().document;
  const auto next = broken.go_to(1, begun);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().line, 13);
  EXPECT_EQ(broken.step_index(), 0u);
}

TEST_F(Run, ResultsAreATable) {
  say(0, {{}, "10", {}});
  say(0, {{}, "10,5 \"x\"", {}});
  run.give_hint(0, live());
  say(0, {{}, "11", {}});
  document = after(document, SetMask{true, {}, {}});
  say(1, {});
  go_to(1);
  say(0, {{0}, {}, {}});
  EXPECT_EQ(run.results_csv("Ada, 7b"),
            "lesson,student,time,step,title,question,kind,answer,verdict,hints\r\n"
            "T,\"Ada, 7b\",2023-11-14T22:13:20Z,1,One,1,number,10,wrong,0\r\n"
            "T,\"Ada, 7b\",2023-11-14T22:13:22Z,1,One,1,number,11,right,1\r\n"
            "T,\"Ada, 7b\",2023-11-14T22:13:23Z,1,One,2,make,done,right,0\r\n"
            "T,\"Ada, 7b\",2023-11-14T22:13:24Z,2,\"Two, \"\"again\"\"\",1,choice,\"this, "
            "\"\"yes\"\"\",right,0"
            "\r\n");
}

TEST_F(Run, HintsAfterTheLastWrongAnswerAreInTheTable) {
  say(0, {{}, "9", {}});
  run.give_hint(0, live());
  say(0, {{}, "10", {}});
  run.give_hint(0, live());
  EXPECT_THAT(run.results_csv(), HasSubstr(",number,9,wrong,0\r\n"));
  EXPECT_THAT(run.results_csv(), HasSubstr(",number,10,wrong,2\r\n"));
  run.reset_step();
  EXPECT_THAT(run.results_csv(), HasSubstr(",number,10,wrong,2\r\n"));
  say(0, {{}, "11", {}});
  run.give_hint(0, live());
  EXPECT_THAT(run.results_csv(), HasSubstr(",number,11,right,0\r\n"))
      << "a hint that was not needed";
}

TEST(LongRun, AStepFixesTheColoursOfMaps) {
  LessonRun run(lesson_of(kFront + "## One\n```lab\nopen refer\nrange weights 0 0.5\n```\nText.\n"),
                "");
  const auto ranges = run.begin().value().view.ranges;
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges.at(attention::Stage::kWeights), (files::ColourRange{0, 0.5f}));
}

TEST(TextRun, OnlyTheLastTextIsInTheTable) {
  LessonRun run(lesson_of(kFront + "## One\n```lab\nopen refer\n```\n```question text\nWhy?\n```\n"
                                   "```question number\nHow many?\nanswer: seq_len\n```\n"),
                "");
  const Document document = run.begin().value().document;
  attention::Evaluator evaluator;
  const Snapshot live{document, evaluator.evaluate(document.problem)};
  const auto say = [&](std::size_t question, const char* text) {
    ASSERT_TRUE(run.answer(question, {{}, text, {}}, live, at(0)));
  };
  say(0, "old");
  say(1, "1");
  say(1, "2");
  run.withdraw(0);
  EXPECT_FALSE(run.state(0).judgement) << "it is not noted any more";
  EXPECT_FALSE(run.state(0).solved);
  say(0, "new");
  const std::string table = run.results_csv();
  EXPECT_THAT(table, HasSubstr(",text,new,"));
  EXPECT_THAT(table, ::testing::Not(HasSubstr(",text,old,")));
  EXPECT_THAT(table, HasSubstr(",number,1,")) << "attempts at a number are kept";
  EXPECT_THAT(table, HasSubstr(",number,2,"));
}

TEST_F(Run, AStepIsBegunAgainAndItsResultsStay) {
  say(0, {{}, "11", {}});
  run.give_hint(0, live());
  document = after(document, SetTemperature{2});
  EXPECT_EQ(run.reset_step().document.problem.config.temperature, 1);
  EXPECT_FALSE(run.state(0).solved);
  EXPECT_EQ(run.state(0).tries + run.state(0).hints, 0);
  EXPECT_EQ(run.solved_count(), 0u);
  EXPECT_THAT(run.results_csv(), HasSubstr(",number,11,right,0"));
}

TEST_F(Run, GoesOnInAnotherWindowWhereItEnded) {
  std::vector<std::vector<AnswerInput>> input{{{{}, "10", {}}, {}}, {{}}};
  say(0, input[0][0]);
  run.give_hint(0, live());
  document = after(document, SetTemperature{2});
  go_to(1);
  input[1][0].chosen = {1};
  document = after(document, SetTemperature{3});
  const std::string text = write_progress(run.progress(document, input));
  LessonProgress progress = read_progress(text).value();
  EXPECT_EQ(answered_count(progress), 2u);
  EXPECT_EQ(progress.questions[1][0].input, input[1][0]);

  LessonRun again(lesson_of(kTwoSteps), "");
  const Document shown = again.resume(progress).value().document;
  EXPECT_EQ(again.step_index(), 1u);
  EXPECT_EQ(shown.problem.config.temperature, 3);
  EXPECT_EQ(again.results_csv(), run.results_csv());
  EXPECT_EQ(again.go_to(0, shown).value().document.problem.config.temperature, 2);
  EXPECT_EQ(again.state(0).tries, 1);
  EXPECT_EQ(again.state(0).hints, 1);
  ASSERT_TRUE(again.state(0).judgement);
  EXPECT_EQ(again.state(0).judgement->verdict, Verdict::kWrong);
}

TEST_F(Run, AnswersToOtherQuestionsAreRefused) {
  LessonProgress progress = run.progress(document, {{{}, {}}, {{}}});
  LessonRun other(lesson_of(kFront + "## One\n```lab\nopen refer\n```\n"), "");
  const auto entered = other.resume(progress);
  ASSERT_FALSE(entered);
  EXPECT_THAT(entered.error().message, HasSubstr("other questions"));
  EXPECT_FALSE(read_progress("{}"));
  EXPECT_FALSE(read_progress(R"({"type":"attention-lab session"})"));
}

// Plays the built-in lessons as students do: wrong answers first, then the right ones.
class PlayedLesson : public ::testing::TestWithParam<LessonInfo> {};

TEST_P(PlayedLesson, EndsWithEveryQuestionSolved) {
  auto opened = open_lesson(GetParam().path).value();
  LessonRun run(std::move(opened.reading.lesson), opened.folder);
  LiveEvaluator evaluator;
  Document document = run.begin().value().document;
  std::size_t wrong = 0;
  for (std::size_t place = 0; place < run.lesson().steps.size(); ++place) {
    if (place > 0) document = run.go_to(place, document).value().document;
    for (std::size_t i = 0; i < run.questions().size(); ++i) {
      const Question& question = *run.questions()[i];
      for (const ModelCommand& edit : question.solution) document = edited(document, edit).value();
      const Snapshot live = evaluator.evaluate(document);
      const auto tried = wrong_answers(question, live).value();
      for (const AnswerInput& input : tried) {
        ++wrong;
        EXPECT_EQ(run.answer(i, input, live, at(0)).value().verdict, Verdict::kWrong);
        EXPECT_FALSE(run.state(i).solved) << "line " << question.line;
      }
      while (run.give_hint(i, live)) {
      }
      const AnswerInput right = right_answer(question, live).value();
      run.answer(i, right, live, at(0)).value();
      EXPECT_TRUE(run.state(i).solved) << "line " << question.line;
    }
  }
  EXPECT_EQ(run.solved_count(), run.question_count());
  EXPECT_GT(wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, PlayedLesson, ::testing::ValuesIn(every_lesson()), lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PlayedLesson);

}  // namespace
}  // namespace lab::samples
