// Lessons about trained models: directives, questions, worksheets, and what is kept of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/document/model/token_name.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/paper/worksheet.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/tests/lessons/live_model.h"

namespace lab::samples {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOpened = "open induction \"planetsplan\"\n";

std::string step_with(const std::string& directives) {
  return kFront + "## One\n```lab\n" + directives + "```\n";
}

StepStart started(const std::string& directives) {
  const Lesson lesson = lesson_of(step_with(directives));
  const auto start = start_step(lesson.steps[0], initial_document().value(), "");
  return start ? *start : (ADD_FAILURE() << start.error().message, StepStart());
}

std::string why_not_started(const std::string& directives) {
  const Lesson lesson = lesson_of(step_with(directives));
  const auto start = start_step(lesson.steps[0], initial_document().value(), "");
  EXPECT_FALSE(start);
  return start ? "" : std::to_string(start.error().line) + ": " + start.error().message;
}

TEST(ModelSteps, OpenAModelOnAText) {
  const StepStart start = started(kOpened);
  ASSERT_TRUE(start.document.layer.model);
  EXPECT_EQ(start.document.sentence, "planetsplan");
  EXPECT_EQ(start.document.tokens.size(), 11u);
  EXPECT_EQ(start.document.layer.at.layer, 0);
}

TEST(ModelSteps, LookAtAHeadOfAnyLayer) {
  const StepStart start = started(kOpened + "head L1H3\n");
  EXPECT_EQ(start.document.layer.at.layer, 1);
  EXPECT_EQ(start.view.head, 3);
  const StepStart cell = started(kOpened + "select weights[L1H2, last, e]\n");
  EXPECT_EQ(cell.document.layer.at.layer, 1);
  EXPECT_EQ(cell.view.head, 2);
  EXPECT_EQ(cell.view.selected, (StageCell{attention::Stage::kWeights, 2, 10, 4}));
}

TEST(ModelSteps, EditHeadsAndTheText) {
  const StepStart start =
      started(kOpened + "head L1H3\nmute L0H0\ngain L1H2 0.5\ntext abcdefabc\n");
  const auto& gains = start.document.layer.model->interventions.gains;
  ASSERT_EQ(gains.size(), 2u);
  EXPECT_TRUE(gains[0].mute);
  EXPECT_EQ(gains[1].gain, 0.5f);
  EXPECT_EQ(start.document.sentence, "abcdefabc");
  EXPECT_EQ(start.document.layer.at.layer, 1) << "edits elsewhere do not move the view";
}

TEST(ModelSteps, ChooseTilesAndTheAnswer) {
  const StepStart start = started(kOpened + "tiles effect\nanswer e - p\n");
  EXPECT_EQ(start.view.tiles, 1u);
  ASSERT_TRUE(start.view.answer);
  EXPECT_EQ(start.view.answer->row, 10);
  EXPECT_EQ(start.view.answer->token, 4u);
  EXPECT_EQ(start.view.answer->minus, 15u);
  const StepStart earlier = started(kOpened + "select weights[L0H0, 8, 7]\nanswer a\n");
  EXPECT_EQ(earlier.view.answer->row, 8) << "of the row that is selected";
  EXPECT_FALSE(started(kOpened).view.answer);
}

TEST(ModelSteps, AskWhatMovesANumber) {
  const StepStart start = started(kOpened + "moves weights[L1H2, last, e]\n");
  EXPECT_EQ(start.view.asked, (StageCell{attention::Stage::kWeights, 2, 10, 4}));
  EXPECT_EQ(start.document.layer.at.layer, 1);
  EXPECT_FALSE(started(kOpened).view.asked);
  EXPECT_THAT(why_not_started("open refer\nmoves causal\n"), HasSubstr("not a cell"));
}

TEST(ModelSteps, SayWhatIsWrong) {
  EXPECT_THAT(why_not_started(kOpened + "head L7H0\n"), HasSubstr("10: the model has no layer"));
  EXPECT_THAT(why_not_started(kOpened + "head L0H9\n"), HasSubstr("there are heads 0 to 3"));
  EXPECT_THAT(why_not_started(kOpened + "mute L5H0\n"), HasSubstr("10: the model has no layer"));
  EXPECT_THAT(why_not_started(kOpened + "answer mat\n"), HasSubstr("no token"));
  EXPECT_THAT(why_not_started("open refer\nmute L0H0\n"), HasSubstr("no trained model is open"));
  EXPECT_THAT(why_not_started("open refer\ntiles effect\n"), HasSubstr("only a trained model"));
  EXPECT_THAT(why_not_started("open nonsense \"a\"\n"), HasSubstr("no built-in model"));
  EXPECT_THAT(why_not_started("open induction \"123\"\n"), HasSubstr("token"));
  const auto problems =
      texts_of(read_lesson(step_with(kOpened + "tiles nonsense\nmute 3\ngain L0H0\n")).problems);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_THAT(problems[0], HasSubstr("attention, effect, written"));
  EXPECT_THAT(problems[1], HasSubstr("such as L0H0"));
  EXPECT_THAT(problems[2], HasSubstr("gain L0H0 0.5"));
}

Question question_of(const std::string& text) {
  const Lesson lesson = lesson_of(step_with(kOpened) + text);
  return *questions_of(lesson.steps[0]).at(0);
}

Verdict said(const Question& question, const std::string& typed, LiveModel& model) {
  return judge(question, {{}, typed, {}}, model.live()).value().verdict;
}

TEST(NameQuestions, TakeTheNameOfATokenHoweverItIsWritten) {
  LiveModel words("words", "The cat sat on the");
  const Question question =
      question_of("```question name\nWhich?\n\nanswer: likeliest[last]\nhint: One.\n```\n");
  for (const char* right : {"mat", " Mat ", "·mat", "“mat”", "\"mat\"", "*mat*"})
    EXPECT_EQ(said(question, right, words), Verdict::kRight) << right;
  for (const char* wrong : {"floor", "ma", "m at"})
    EXPECT_EQ(said(question, wrong, words), Verdict::kWrong) << wrong;
  EXPECT_EQ(said(question, "  ", words), Verdict::kUnclear);
  EXPECT_EQ(right_answer(question, words.live()).value().typed, "mat");
  EXPECT_TRUE(arithmetic_of(question, words.live()).value().empty());
}

TEST(NameQuestions, FollowTheNumbers) {
  LiveModel words("words", "The cat sat on the");
  const Question question = question_of(
      "```question name\nWhich?\n\nanswer: head(smallest(knock_out[:, last, mat]))\n```\n");
  EXPECT_EQ(said(question, "l2h0", words), Verdict::kRight);
  words.edit("mute L2H0");
  EXPECT_EQ(said(question, "L2H0", words), Verdict::kWrong) << "it is silent already";
}

TEST(NameQuestions, MustAskForAName) {
  const Lesson lesson = lesson_of(
      step_with(kOpened) + "```question name\nWhich?\n\nanswer: probability[last, e]\n```\n");
  EXPECT_THAT(texts_of(check_lesson(lesson, "", {})),
              ElementsAre(HasSubstr("the answer is not a name")));
}

// German for the length of a test.
struct SpeaksGerman {
  SpeaksGerman() { set_language(Language::kGerman, assets_folder()); }
  ~SpeaksGerman() { set_language(Language::kEnglish, assets_folder()); }
};

// The name of the head would be the answer to another question.
TEST(MakeQuestions, SayNoGainsAndNameNumbersInTheWindowsLanguage) {
  const auto reply = [](const std::string& until, const Snapshot& live) {
    const Question question =
        question_of("```question make\nDo it.\n\nuntil: " + until + "\n```\n");
    return judge(question, {}, live).value().message;
  };
  const SpeaksGerman german;
  LiveModel letters("induction", "planetsplan");
  EXPECT_EQ(reply("gain[L0H0] = 0", letters.live()), "Noch nicht erreicht.");
  LiveEvaluator evaluator;
  const Document trained =
      open_lesson_training({"train:repeat", "heads=2 d_model=32 vocabulary=16 length=20"}).value();
  EXPECT_EQ(reply("step > 5", evaluator.evaluate(trained)), "Noch nicht erreicht: Schritt = 0.");
}

TEST(CellQuestions, AreAboutTheHeadWhoseMapIsShown) {
  const Question question =
      question_of("```question cell\nClick.\n\nanswer: largest(weights[L1H3, last])\n```\n");
  LiveModel letters("induction", "planetsplan");
  const AnswerInput clicked{{}, {}, StageCell{attention::Stage::kWeights, 3, 10, 4}};
  const Judgement elsewhere = judge(question, clicked, letters.live()).value();
  EXPECT_EQ(elsewhere.verdict, Verdict::kWrong) << "the window shows layer 0";
  EXPECT_THAT(elsewhere.message, HasSubstr("L1H3"));
  LiveEvaluator evaluator;
  const Snapshot there = evaluator.evaluate(at_layer(letters.document(), {.layer = 1}));
  EXPECT_EQ(judge(question, clicked, there).value().verdict, Verdict::kRight);
  EXPECT_EQ(input_text(question, clicked, there), "weights[L1H3, n, e]");
}

TEST(ModelArithmetic, NamesTheNumbersOfTheModel) {
  LiveModel letters("induction", "planetsplan");
  const Question question = question_of(
      "```question number\nHow much?\n\nanswer: logit[last, e] + knock_out[L0H0, last, e]\n```\n");
  EXPECT_THAT(arithmetic_of(question, letters.live()).value(),
              ElementsAre("logit[last, e] = 6.6987", "knock_out[L0H0, last, e] = −5.3903",
                          HasSubstr(" = 1.308")));
}

const std::string kTwoModelSteps = step_with(kOpened + "head L1H3\n") +
                                   "```question make\nMute.\n\nuntil: gain[L0H0] = 0\n"
                                   "solution: mute L0H0\n```\n## Two\n```lab\nhead L0H0\n```\n"
                                   "```question number\nHow sure?\n\n"
                                   "answer: probability[last, e]\n```\n";

TEST(ModelRun, KeepsWhatAStudentDidToAModel) {
  LessonRun run(lesson_of(kTwoModelSteps), "");
  Document document = run.begin().value().document;
  LiveEvaluator evaluator;
  document = edited(document, run.questions()[0]->solution[0]).value();
  EXPECT_EQ(run.answer(0, {}, evaluator.evaluate(document), {}).value().verdict, Verdict::kRight);
  document = run.go_to(1, document).value().document;
  const std::string kept = write_progress(run.progress(document, {{{}}, {{}}}));
  LessonProgress progress = read_progress(kept).value();
  LessonRun again(lesson_of(kTwoModelSteps), "");
  const Document resumed = again.resume(progress).value().document;
  ASSERT_TRUE(resumed.layer.model);
  const auto& gains = again.go_to(0, resumed).value().document.layer.model->interventions.gains;
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_TRUE(gains[0].mute);
  EXPECT_TRUE(again.state(0).solved);
}

TEST(ModelRun, AStepBeganAgainIsUnedited) {
  LessonRun run(lesson_of(kTwoModelSteps), "");
  run.begin().value();
  EXPECT_TRUE(run.reset_step().document.layer.model->interventions.gains.empty());
}

std::vector<std::string> words_on(const std::string& lesson, bool answers) {
  const auto pages = lesson_worksheet(lesson_of(lesson), "", {.answers = answers});
  std::vector<std::string> texts;
  if (!pages) ADD_FAILURE() << pages.error().message;
  for (const Figure& page : pages.value_or(std::vector<Figure>()))
    for (const Shape& shape : page.shapes)
      if (const auto* text = std::get_if<shape::Text>(&shape)) texts.push_back(text->text);
  return texts;
}

TEST(ModelPaper, PrintsWhatTheModelSays) {
  const std::string lesson =
      step_with(kOpened) +
      "```question name\nWho?\n\nanswer: head(smallest(knock_out[:, last, e]))\n"
      "table: knock_out[:, last, e]\ntable: predictions[last]\ntable: lens[last]\n"
      "table: weights[L1H3]\n```\n";
  const auto sheet = words_on(lesson, false);
  EXPECT_THAT(sheet, Contains("knock-out (e)"));
  EXPECT_THAT(sheet, Contains("−5.39"));
  EXPECT_THAT(sheet, Contains("0.94"));
  EXPECT_THAT(sheet, Contains(HasSubstr("head L1H3")));
  EXPECT_THAT(sheet, Contains("likeliest token"));
  EXPECT_THAT(sheet, Not(Contains("L0H0")));
  EXPECT_THAT(words_on(lesson, true), Contains("L0H0"));
}

TEST(ModelPaper, TablesThatDoNotExistAreMistakes) {
  const Lesson lesson = lesson_of(step_with(kOpened) +
                                  "```question name\nWho?\n\nanswer: likeliest[last]\n"
                                  "table: weights[L9H0]\n```\n");
  EXPECT_THAT(texts_of(check_lesson(lesson, "", {})), ElementsAre(HasSubstr("there is no head")));
}

TEST(ModelPaper, TheSolutionNamesTheHead) {
  EXPECT_THAT(words_on(kTwoModelSteps, true), Contains(HasSubstr("L0H0")));
}

}  // namespace
}  // namespace lab::samples
