#include "app/lessons/reading/lesson_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/tests/files/damage.h"
#include "app/tests/lessons/support.h"
#include "app/tests/rooms.h"

namespace lab::samples {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kLesson = kFront + R"(
## Look

```lab
# a note
open cat-sat
head 1
lock all
hide edit, model
highlight stage/weights
large weights
select weights[1, cat, sat]
apply {"do":"set_temperature","value":2}
```

Some **text** with `= d_k`.

```question choice
Which?

- [x] this
  because: It is.
- [ ] that
- [= weights[1, cat, sat] > 0.5] the third
hint: First.
hint: Second,
  which goes on.
right: Well done.
wrong: No.
```

## Do

```question number
How much is it?
And why?
answer: weights[1, cat, sat]
tolerance: 0.01
```

```question cell
Click it.
answer: largest(weights[1, cat])
```

```question make
Make it so.
until: temperature < 1
solution: {"do":"set_temperature","value":0.5}
```

```question text
Say it.
```
)";

TEST(LessonReader, ReadsEverything) {
  const Lesson lesson = lesson_of(kLesson);
  EXPECT_EQ(lesson.title, "T");
  EXPECT_EQ(lesson.goal, "G");
  EXPECT_EQ(lesson.minutes, 5);
  EXPECT_EQ(lesson.level, "L");
  ASSERT_EQ(lesson.steps.size(), 2u);
  EXPECT_EQ(lesson.steps[0].title, "Look");
  EXPECT_EQ(lesson.steps[0].line, 8);
  EXPECT_EQ(lesson.steps[0].directives.size(), 8u);
  EXPECT_EQ(lesson.steps[0].directives[0].line, 12);
  EXPECT_EQ(std::get<directive::Lock>(lesson.steps[0].directives[2].action).controls.size(), 9u);
  EXPECT_THAT(std::get<directive::Hide>(lesson.steps[0].directives[3].action).panels,
              ElementsAre("edit", "model"));
  EXPECT_EQ(questions_of(lesson.steps[0]).size(), 1u);
  EXPECT_EQ(questions_of(lesson.steps[1]).size(), 4u);
}

TEST(LessonReader, ReadsQuestions) {
  const Lesson lesson = lesson_of(kLesson);
  const Question& choice = *questions_of(lesson.steps[0])[0];
  ASSERT_EQ(choice.choices.size(), 3u);
  EXPECT_TRUE(choice.choices[0].right);
  EXPECT_EQ(choice.choices[0].because.size(), 1u);
  EXPECT_FALSE(choice.choices[1].right);
  EXPECT_EQ(choice.choices[2].right_when->text(), "weights[1, cat, sat] > 0.5");
  ASSERT_EQ(choice.hints.size(), 2u);
  EXPECT_EQ(choice.hints[1][0].spans[0].text, "Second, which goes on.");
  const Question& number = *questions_of(lesson.steps[1])[0];
  EXPECT_EQ(number.tolerance, 0.01);
  EXPECT_EQ(number.prompt[0].spans[0].text, "How much is it? And why?");
}

TEST(LessonReader, LineEndsAndByteOrderMarksMakeNoDifference) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kLesson) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(lesson_of(text).steps.size(), 2u);
}

TEST(LessonReader, MarksWithinOtherCodeAreText) {
  const Lesson lesson = lesson_of(kFront + "## A\n````text\n## no step\n```lab\n```\n````\nend");
  ASSERT_EQ(lesson.steps.size(), 1u);
  EXPECT_EQ(lesson.steps[0].items.size(), 1u);
}

struct Bad {
  const char* name;
  std::string text;
  const char* problem;
};

std::string in_step(const std::string& text) { return kFront + "## A\n" + text; }
std::string in_lab(const std::string& line) { return in_step("```lab\n" + line + "\n```\n"); }
std::string in_question(const std::string& type, const std::string& body) {
  return in_step("```question " + type + "\n" + body + "\n```\n");
}

class BadLesson : public ::testing::TestWithParam<Bad> {};

TEST_P(BadLesson, IsReportedWithItsLine) {
  EXPECT_THAT(texts_of(read_lesson(GetParam().text).problems),
              Contains(HasSubstr(GetParam().problem)));
}

const Bad kBad[] = {
    {"Empty", "", "1: a lesson starts with a line \"---\""},
    {"NoFront", "# A\n", "1: a lesson starts with"},
    {"OpenFront", "---\ntitle: T\n", "1: the front matter is not closed"},
    {"NoTitle", "---\ngoal: G\n---\n## A\n", "1: the front matter has no title"},
    {"NoLevel", "---\ngoal: G\n---\n## A\n", "1: the front matter has no level"},
    {"WrongMember", "---\nauthor: me\n---\n", "2: the front matter cannot have \"author\""},
    {"WrongMinutes", "---\nminutes: ten\n---\n", "2: minutes is \"ten\" but should be"},
    {"TooManyMinutes", "---\nminutes: 601\n---\n", "2: minutes is \"601\" but should be"},
    {"NoStep", kFront, "6: the lesson has no steps"},
    {"TextBeforeSteps", kFront + "Hello\n", "7: there is text before the first step"},
    {"BlockBeforeSteps", kFront + "```lab\n```\n", "7: this block comes before the first step"},
    {"OpenBlock", in_step("```lab\nhead 1\n"), "8: the block that starts here is not closed"},
    {"OpenQuestion", in_step("text\n\n```question text\nA\n"), "10: the block that starts"},
    {"OpenCode", in_step("```\n1 + 1\n\n```question text\nA\n```\n"), "8: the block that starts"},
    {"OpenCodeAtTheEnd", in_step("text\n```text\n1 + 1\n"), "9: the block that starts"},
    {"OpenQuestionBeforeAnother", in_step("```question text\nA\n```question text\nB\n```\n"),
     "8: the block that starts"},
    {"UnknownBlock", in_step("```labs\n```\n"), "8: there is no block \"labs\""},
    {"Html", in_step("text\n\na <b>b</b>\n"), "10: lessons cannot show HTML"},
    {"Table", in_step("| a |\n|---|\n| b |\n"), "9: lessons cannot show tables"},
    {"LiveNumber", in_step("text\n\n\nmore `= 1 +` text\n"), "11: the expression \"1 +\""},
    {"NoText", std::string("---\n\xFF\n---\n"), "2: this line is not valid UTF-8"},
    {"NulByte", kFront + std::string("a\0b", 3), "7: this line is not valid UTF-8"},
    {"UnknownDirective", in_lab("opens refer"), "9: there is no directive \"opens\""},
    {"LateDirective", in_lab("\n\nhead x"), "11: \"x\" is not a head"},
    {"OpenNothing", in_lab("open"), "9: \"open\" must be followed by an example"},
    {"HeadZero", in_lab("head 0"), "9: \"0\" is not a head"},
    {"SelectNothing", in_lab("select"), "9: \"select\" must be followed by a cell"},
    {"SelectBroken", in_lab("select weights[1"), "9: the expression \"weights[1\""},
    {"PinBroken", in_lab("pin )"), "9: the expression \")\""},
    {"LargeNothing", in_lab("large weight"), "9: there is no stage \"weight\""},
    {"RangeOfNothing", in_lab("range weight 0 1"), "9: there is no stage \"weight\""},
    {"RangeWithoutEnds", in_lab("range weights"),
     "9: after \"range\" and a stage come two numbers"},
    {"RangeUpsideDown", in_lab("range weights 1 0"),
     "9: after \"range\" and a stage come two numbers, the smaller first"},
    {"HidePart", in_lab("hide edit, all"), "9: there is no part \"all\" to hide"},
    {"LockThing", in_lab("lock W_Q"), "9: there is nothing called \"W_Q\" to lock"},
    {"ApplyNoJson", in_lab("apply set"), "9: "},
    {"ApplyUnknown", in_lab(R"(apply {"do":"fly"})"), "9: "},
    {"QuestionKind", in_question("numbers", "A"), "8: the kind of the question is \"numbers\""},
    {"NoQuestionKind", in_question("", "A"), "8: the kind of the question is \"\""},
    {"Twice", "---\ntitle: T\ntitle: U\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n",
     "3: the front matter has \"title\" twice"},
    {"Seeds", "---\ntitle: T\nseeds: 7\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n",
     "3: seeds is \"7\" but should be yes or no"},
    {"Misspelt", in_question("number", "A\nanswer: 1\ntolerence: 2"),
     "11: there is no \"tolerence:\" in a question"},
    {"MisspeltHint", in_question("number", "A\nanswer: 1\nHint: b"),
     "11: there is no \"Hint:\" in a question; did you mean \"hint:\"?"},
    {"MisspeltBlock", in_step("text\n\n```quesiton number\nA\nanswer: 1\n```\n"),
     "10: there is no block \"quesiton number\""},
    {"BlockInCapitals", in_step("```Lab\nhead 1\n```\n"), "8: there is no block \"Lab\""},
    {"UnknownMember", in_question("number", "A\nanswer: 1\nhnit: b"),
     "11: there is no \"hnit:\" in a question; did you mean \"hint:\"?"},
    {"OtherMember", in_question("number", "A\nanswer: 1\nclue: b"),
     "11: there is no \"clue:\" in a question; use one of answer"},
    {"MisspeltUnderAChoice", in_question("choice", "A\n- [x] a\n- [ ] b\n  becuase: c"),
     "12: there is no \"becuase:\" in a question; did you mean \"because:\"?"},
    {"MisspeltInThePrompt", in_question("text", "A\nrigth: b"),
     "10: there is no \"rigth:\" in a question; did you mean \"right:\"?"},
    {"CapitalUnderAChoice", in_question("choice", "A\n- [x] a\n- [ ] b\n  Because: c"),
     "12: there is no \"Because:\" in a question; did you mean \"because:\"?"},
    {"TwoTolerances", in_question("number", "A\nanswer: 1\ntolerance: 2\ntolerance: 1"),
     "12: there is a second \"tolerance:\"; the first is in line 11"},
    {"TwoReasons", in_question("choice", "A\n- [x] a\n- [ ] b\n  because: c\n  because: d"),
     "13: there is a second \"because:\"; the first is in line 12"},
    {"SetInTwice", in_question("number", "A\nanswer: 1\n hint: `= )`"), "11: the expression \")\""},
    {"BlankBeforeColon", in_question("number", "A\nanswer : 1 +"), "10: the expression \"1 +\""},
    {"SeveralHints", in_question("cell", "A\nanswer: largest(weights[1, it])\nhints: b"),
     "11: there is no \"hints:\" in a question; did you mean \"hint:\"?"},
    {"DecimalComma", in_question("number", "A\nanswer: 0,5"),
     "decimals are written with a point, as in 0.5"},
    {"LiveNumberOpen", in_step("text\n\n`= d_k to 0\n\nmore\n"), "10: the live number \"`= d_k"},
    {"LiveNumberOpenInHint", in_question("text", "A\nhint: `= d_k of"), "10: the live number"},
    {"CurlyQuotes", in_lab("apply {“do”:“undo”}"), "write straight quotes, \""},
    {"NotSetIn", in_question("number", "A\nanswer: 1\nand more"),
     "11: indent a line that continues the one before"},
    {"Unmarked", in_question("choice", "A\n- [x] a\n- b\n- [ ] c"), "11: a choice starts with [x]"},
    {"NotClosedWithin", in_question("number", "A\nanswer: 1\n```lab\nhead 1"),
     "8: the block that starts here is not closed"},
    {"TooLong", kFront + "## A\n" + std::string(30000, 'a') + "\n", "8: there is too much text"},
    {"Picture", kFront + "## A\n![x](a.png)\n", "8: lessons cannot show images"},
    {"NoPrompt", in_question("number", "answer: 1"), "8: the question has no text"},
    {"NoAnswer", in_question("number", "A"), "8: the question needs \"answer:\""},
    {"TwoAnswers", in_question("number", "A\nanswer: 1\nanswer: 2"), "8: a number has one answer"},
    {"BrokenAnswer", in_question("number", "A\nanswer: 1 +"), "10: the expression \"1 +\""},
    {"BrokenTolerance", in_question("number", "A\nanswer: 1\ntolerance: few"),
     "11: tolerance is \"few\" but should be 0 or more"},
    {"NegativeTolerance", in_question("number", "A\nanswer: 1\ntolerance: -1"),
     "11: tolerance is \"-1\" but should be 0 or more"},
    {"NumberWithChoice", in_question("number", "A\n- [x] a\nanswer: 1"),
     "10: a choice, \"- [x] …\" does not belong in a question of the kind \"number\""},
    {"ChoiceWithAnswer", in_question("choice", "A\n- [x] a\n- [ ] b\nanswer: 1"),
     "12: \"answer:\" does not belong in a question of the kind \"choice\""},
    {"NoChoice", in_question("choice", "A"), "8: the question needs a choice"},
    {"OneChoice", in_question("choice", "A\n- [x] a"), "8: there is only one choice"},
    {"ChoiceMark", in_question("choice", "A\n- [y] a\n- [ ] b"), "10: the mark before a choice"},
    {"ChoiceOpen", in_question("choice", "A\n- [x a\n- [ ] b"), "10: the bracket before"},
    {"ChoiceEmpty", in_question("choice", "A\n- [x]\n- [ ] b"), "10: a choice has no text"},
    {"ChoiceExpression", in_question("choice", "A\n- [= 1 <] a\n- [ ] b"),
     "10: the expression \"1 <\""},
    {"BecauseAlone", in_question("choice", "A\nbecause: b\n- [x] a\n- [ ] b"),
     "10: \"because\" must come after a choice"},
    {"NoUntil", in_question("make", "A"), "8: the question needs \"until:\""},
    {"BrokenSolution", in_question("make", "A\nuntil: 1 < 2\nsolution: go"), "11: "},
    {"HintBroken", in_question("text", "A\nhint: `= )`"), "10: the expression \")\""},
    {"TextWithAnswer", in_question("text", "A\nanswer: 1"),
     "10: \"answer:\" does not belong in a question of the kind \"text\""},
};

INSTANTIATE_TEST_SUITE_P(Each, BadLesson, ::testing::ValuesIn(kBad),
                         [](const auto& test) { return test.param.name; });

TEST(LessonReader, TellsEveryProblemInOrder) {
  const auto problems =
      texts_of(read_lesson(kFront + "## A\n```lab\nx\n```\n```question q\n```\n").problems);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("9: there is no directive"),
                                    HasSubstr("11: the kind of the question")));
}

TEST(LessonReader, ProseMayBeginWithAWordAndAColon) {
  for (const char* body : {"Light: which word has it?\nnote: only one\nfight: or not?",
                           "Think.\nHint: none.", "Was?\nPapier: ja.\ndaher: nein.\nrecht: so."}) {
    const auto read = read_lesson(in_question("text", body));
    EXPECT_THAT(texts_of(read.problems), ::testing::IsEmpty()) << body;
  }
  EXPECT_THAT(texts_of(read_lesson(in_question("choice",
                                               "A\n- [x] a\n  because: b\n- [ ] c\n"
                                               "  because: d\nhint: e\nhint: f"))
                           .problems),
              ::testing::IsEmpty());
}

TEST(LessonReader, LimitsAreKept) {
  std::string steps;
  for (int i = 0; i < 201; ++i) steps += "## A\n";
  EXPECT_THAT(texts_of(read_lesson(kFront + steps).problems),
              Contains(HasSubstr("207: a lesson can have at most 200 steps")));
  EXPECT_TRUE(read_lesson(kFront + steps.substr(5)).problems.empty());
  EXPECT_THAT(texts_of(read_lesson(std::string(kLargestLesson + 1, 'a')).problems),
              ElementsAre(HasSubstr("at most 1 MB")));
}

TEST(LessonReader, DamageIsToldAndNoMore) {
  damage(kLesson, [](std::string_view text) { read_lesson(text); });
}

TEST(LessonReader, KnowsALessonByItsBeginning) {
  EXPECT_TRUE(looks_like_lesson(kLesson));
  EXPECT_TRUE(looks_like_lesson("---\ngoal: x\n"));
  for (const char* text : {"", "{}", "---\n", "# goal: x", "1,2,3\n", "---\na: b\n---\ngoal: x"})
    EXPECT_FALSE(looks_like_lesson(text)) << text;
}

}  // namespace
}  // namespace lab::samples
