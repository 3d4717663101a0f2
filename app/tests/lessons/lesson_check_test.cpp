#include "app/lessons/lesson_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/io/bytes.h"
#include "app/files/session/session.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/tests/document/samples.h"
#include "app/tests/every_lesson.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab::samples {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kBegin = kFront + "## A\n```lab\nopen refer\n```\n";

std::vector<std::string> problems_of(const std::string& text, const WidgetNames& widgets = {}) {
  return texts_of(check_lesson(lesson_of(text), "", widgets));
}

TEST(LessonCheck, AGoodLessonHasNoProblem) {
  EXPECT_THAT(
      problems_of(kBegin +
                  "It is `= weights[1, it, animal]`.\n```question number\nHow much?\n"
                  "answer: weights[1, it, animal]\n```\n## B\n```question make\nMake it.\n"
                  "until: causal\nsolution: {\"do\":\"set_mask\",\"mask\":\"causal\"}\n```\n"
                  "## C\n`= weights[1, The, animal]` is 0 now.\n"),
      IsEmpty());
}

struct Unsound {
  const char* name;
  std::string text;  // behind kBegin, of 10 lines
  const char* problem;
};

std::string asked(const std::string& type, const std::string& body) {
  return "```question " + type + "\nWhat?\n" + body + "\n```\n";
}

class BadCheck : public ::testing::TestWithParam<Unsound> {};

TEST_P(BadCheck, IsReportedWithItsLine) {
  EXPECT_THAT(problems_of(kBegin + GetParam().text),
              ::testing::Contains(HasSubstr(GetParam().problem)));
}

const Unsound kUnsound[] = {
    {"NoExample", "## B\n```lab\nopen nothing\n```\n", "13: there is no file or example"},
    {"NoHead", "## B\n```lab\nhead 4\n```\n", "13: there is no head 4; there are heads 1 to 3"},
    {"NoCell", "## B\n```lab\nselect weights[1, it, dog]\n```\n", "13: weights has no column"},
    {"NoMapCell", "## B\n```lab\nselect W_Q[1, 0, 0]\n```\n", "13: \"W_Q[1, 0, 0]\" is not a cell"},
    {"RowForCell", "## B\n```lab\npin weights[1, it]\n```\n",
     "13: \"weights[1, it]\" is not a cell"},
    {"NoStage", "## B\n```lab\nlarge residual\n```\n", "13: there is no residual"},
    {"EditRefused", "## B\n```lab\napply {\"do\":\"set_temperature\",\"value\":0}\n```\n",
     "13: a temperature of 0"},
    {"NumberInText", "It is so.\n\n- It\n  is `= weights[1, dog, it]`.\n", "14: "},
    {"RowInText", "It is `= weights[1, it]`.\n", "is neither a number nor a name"},
    {"NumberInHint", asked("number", "answer: 1\nhint: `= width`"), "14: "},
    {"NumberInPrompt", "```question text\nSo\nwhat is `= width`?\n```\n", "13: "},
    {"NumberInGoingOn", asked("number", "answer: 1\nright: Well\n  done: `= width`"), "15: "},
    {"NumberInChoice", asked("choice", "- [x] a\n- [ ] `= width`\n  because: No."), "14: "},
    {"AnswerIsNoNumber", asked("number", "answer: weights[1, it]"),
     "13: expected a number, found a row"},
    {"AnswerIsInfinite", asked("number", "answer: 1 / 0"), "13: the answer is not a finite number"},
    {"NothingRight", asked("choice", "- [ ] a\n- [ ] b"), "11: no choice is right"},
    {"AllRight", asked("choice", "- [x] a\n- [= d_k = 4] b"), "11: every choice is right"},
    {"NoCellAnswer", asked("cell", "answer: d_k"), "13: the answer is not a cell"},
    {"MatrixCell", asked("cell", "answer: W_Q[1, 0, 0]"), "13: the answer is a cell of a matrix"},
    {"TrueBefore", asked("make", "until: d_k = 4\nsolution: {\"do\":\"clear_overrides\"}"),
     "11: the condition is already true before the question is asked"},
    {"NoSolution", asked("make", "until: causal"), "11: there is no \"solution:\""},
    {"SolutionLocked",
     "## B\n```lab\nlock mask\n```\n" +
         asked("make", "until: causal\nsolution: {\"do\":\"set_mask\",\"causal\":true}"),
     "the step locks what the question asks to edit: mask"},
    {"SolutionFails",
     asked("make", "until: causal\nsolution: {\"do\":\"set_temperature\",\"value\":2}"),
     "11: the question rejects its own answer: Not there yet"},
    {"SolutionRefused",
     asked("make", "until: causal\nsolution: {\"do\":\"set_temperature\",\"value\":0}"),
     "11: solution: a temperature"},
};

INSTANTIATE_TEST_SUITE_P(Each, BadCheck, ::testing::ValuesIn(kUnsound),
                         [](const auto& test) { return test.param.name; });

TEST(LessonCheck, ALessonOpensSomethingFirst) {
  EXPECT_THAT(problems_of(kFront + "## A\nHello\n"),
              ElementsAre(HasSubstr("7: the first step opens nothing")));
}

TEST(LessonCheck, StepsMustBeginForThoseWhoOnlyGoOn) {
  EXPECT_THAT(
      problems_of(
          kBegin +
          asked("make",
                "until: seq_len = 2\nsolution: {\"do\":\"set_sentence\",\"text\":\"a b\"}") +
          "## B\n```lab\nselect weights[1, a, b]\n```\n"),
      ElementsAre(HasSubstr("weights has no row \"a\"")));
}

// With the mistakes found when it was read.
std::vector<std::string> all_problems_of(const std::string& text) {
  return texts_of(check_reading(read_lesson(text), "", {}));
}

TEST(LessonCheck, AMistakeDoesNotHideLaterOnes) {
  EXPECT_THAT(
      all_problems_of(kFront + "## A\n```lab\nopen refer\nfly away\n```\n" +
                      "```question number\nWhat?\nanswer: weights[1, it\n```\n" +
                      "## B\n```lab\nhead 9\n```\n`= weights[1, it, nobody]`\n" +
                      "```question number\nWhat?\nanswer: \"a word\"\n```\n"),
      ElementsAre(HasSubstr("10: there is no directive \"fly\""), HasSubstr("14: "),
                  HasSubstr("18: there is no head 9"), HasSubstr("20: "), HasSubstr("23: ")));
}

TEST(LessonCheck, NothingIsSaidAboutAModelThatWasNotOpened) {
  const std::string rest = "## B\n`= weights[1, sat, sat]`\n## C\n```lab\nopen refer\n```\n";
  EXPECT_THAT(all_problems_of(kFront + "## A\n```lab\nopne cat-sat\n```\n" + rest +
                              "`= weights[1, sat, sat]`\n"),
              ElementsAre(HasSubstr("9: there is no directive \"opne\""), HasSubstr("17: ")));
  EXPECT_THAT(all_problems_of(kFront + "## A\n```lab\nopen nothing\n```\n" + rest),
              ElementsAre(HasSubstr("9: there is no file or example")));
}

TEST(LessonCheck, NotesWhatAnEditDetaches) {
  const std::string text =
      kBegin +
      "## B\n```lab\napply {\"do\":\"set_cell\",\"matrix\":\"mask\",\"row\":0,\"col\":1,"
      "\"value\":0}\n"
      "apply {\"do\":\"set_sentence\",\"text\":\"The cat\"}\n```\n";
  EXPECT_THAT(problems_of(text), IsEmpty());
  const auto notes = lesson_notes(lesson_of(text), "");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].line, 14);
  EXPECT_THAT(notes[0].message, HasSubstr("“animal”: mask cell The → animal"));
}

TEST(LessonCheck, WhatRandomNumbersMakeWrongIsSaidOnce) {
  std::string text = kBegin + asked("choice", "- [= weights[1, it, animal] > 2] a\n- [ ] b");
  text.replace(text.find("level: L"), 8, "level: L\nseeds: yes");
  const std::size_t own = text.find("> 2");
  EXPECT_THAT(problems_of(text), ElementsAre("12: no choice is right"));
  text.replace(own, 3, "> 0.69 and weights[1, it, animal] < 0.7");
  const auto problems = problems_of(text);
  ASSERT_EQ(problems.size(), 1u) << "twelve sheets, one reason";
  EXPECT_THAT(problems[0], HasSubstr("12: with random numbers (seed 1, in all 12 of 12 sheets): no "
                                     "choice is right; a lesson with \"seeds: yes\" can only"));
}

TEST(LessonCheck, LooksForWidgets) {
  const WidgetNames names = [](const StepStart&) { return std::set<std::string>{"stage/weights"}; };
  const std::string text = kBegin + "## B\n```lab\nhighlight stage/weights\nhighlight stage\n```\n";
  EXPECT_THAT(problems_of(text, names),
              ElementsAre("14: the window has no widget \"stage\" in this step"));
  EXPECT_THAT(problems_of(text, [](const StepStart&) { return std::nullopt; }), IsEmpty());
}

TEST(LessonCheck, SessionsBesideTheLessonOpen) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "mine.json", write_session(small_document())));
  const Lesson lesson = lesson_of(kFront + "## A\n```lab\nopen mine.json\n```\n`= d_model`\n");
  EXPECT_THAT(texts_of(check_lesson(lesson, folder / "", {})), IsEmpty());
  EXPECT_THAT(texts_of(check_lesson(lesson, "/nowhere", {})),
              ElementsAre(HasSubstr("9: there is no file or example \"mine.json\"")));
}

TEST(LessonShelf, ProblemsAreToldAsCompilersDo) {
  EXPECT_EQ(problem_text("a/b.md", {3, "x"}), "a/b.md:3: x");
  EXPECT_EQ(problem_text("-", {7, "y"}), "standard input:7: y");
}

class BuiltInLesson : public ::testing::TestWithParam<LessonInfo> {};

TEST_P(BuiltInLesson, HasNoProblem) {
  const auto opened = open_lesson(GetParam().path);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_THAT(texts_of(opened->reading.problems), IsEmpty());
  EXPECT_THAT(texts_of(check_lesson(opened->reading.lesson, opened->folder, {})), IsEmpty());
}

TEST_P(BuiltInLesson, TakesFiveToFifteenMinutesAndAsksThreeQuestionsAtLeast) {
  const Lesson lesson = open_lesson(GetParam().path).value().reading.lesson;
  EXPECT_GE(lesson.minutes, 5);
  EXPECT_LE(lesson.minutes, 15);
  std::size_t checked = 0;
  for (const Step& step : lesson.steps)
    for (const Question* question : questions_of(step))
      checked += question->type == QuestionType::kText ? 0 : 1;
  EXPECT_GE(checked, 3u);
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInLesson, ::testing::ValuesIn(every_lesson()), lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BuiltInLesson);

}  // namespace
}  // namespace lab::samples
