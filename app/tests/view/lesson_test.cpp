// Lessons in the window, from a student's point of view.
#include <gmock/gmock.h>

#include <fstream>
#include <stdexcept>

#include "app/document/training/training_document.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/every_lesson.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab {
namespace {

using attention::Stage;
using testing::HasSubstr;

const ImVec2 kHigh{1600, 3600};  // every widget is in view without scrolling

// A student with a mouse and a keyboard.
class Student {
 public:
  explicit Student(Screen& screen) : screen_(screen) {}

  void open(const std::string& source) {
    screen_.view.state().requests.ask(request::Leave{destination::Source{source}});
    screen_.frames(4);
  }
  LessonRun& run() const { return *screen_.view.state().lesson.run; }
  Snapshot live() const {
    const Workspace& shown = screen_.workspace;
    return {shown.document(), shown.trace(), shown.network_trace()};
  }
  void press(std::size_t question, const std::string& part) {
    screen_.click("lesson/" + std::to_string(question + 1) + "/" + part);
  }
  void give(std::size_t question, const AnswerInput& given) {
    switch (run().questions()[question]->type) {
      case QuestionType::kChoice:
        choose(question, given.chosen);
        break;
      case QuestionType::kCell:
        click(*given.clicked);
        break;
      case QuestionType::kNumber:
      case QuestionType::kName:
      case QuestionType::kText:
        press(question, "answer");
        screen_.key(Key::kA, true);
        screen_.type(as_typed(given.typed));
        break;
      case QuestionType::kMake:
        break;
    }
    if (run().questions()[question]->type != QuestionType::kMake) press(question, "check");
  }
  void solve_by_edits(std::size_t question) {
    for (const auto& [layer, command] : run().questions()[question]->solution) {
      EXPECT_FALSE(screen_.view.state().lesson.view.locked.contains(control_of(command)))
          << "the step locks what it asks to edit";
      screen_.workspace.queue(intent::Apply{trained(command), {}, layer});
      screen_.workspace.drain();
    }
    screen_.frames(3);
  }

 private:
  // A step of training that was not taken yet is taken, as the button does.
  Command trained(const Command& command) {
    const auto* train = std::get_if<TrainTo>(&command);
    if (train == nullptr) return command;
    const auto step = static_cast<std::uint64_t>(train->step);
    const auto done = trained_up_to(*screen_.workspace.edited().layer.model, step);
    if (!done) throw std::runtime_error(done.error().message);
    return TrainTo{training_of(*done)->branch, train->step};
  }
  // With the minus sign of a keyboard.
  static std::string as_typed(std::string text) {
    constexpr std::string_view kMinus = "−";
    for (std::size_t at = text.find(kMinus); at != text.npos; at = text.find(kMinus))
      text.replace(at, kMinus.size(), "-");
    return text;
  }
  void choose(std::size_t question, const std::vector<std::size_t>& expected) {
    const std::vector<std::size_t> before = given_of(screen_.view.state(), question).chosen;
    const auto click_choice = [&](std::size_t choice) {
      press(question, "choice/" + std::to_string(choice + 1));
    };
    for (const std::size_t choice : expected)
      if (std::ranges::count(before, choice) == 0) click_choice(choice);
    const std::vector<std::size_t> chosen = given_of(screen_.view.state(), question).chosen;
    for (const std::size_t choice : chosen)
      if (std::ranges::count(expected, choice) == 0) click_choice(choice);
  }
  void click(const StageCell& cell) {
    if (is_per_head(cell.stage) && screen_.view.state().head != cell.head)
      screen_.click("head/" + std::to_string(cell.head + 1));
    const std::string name = "stage/" + std::string(stage_name(cell.stage)) + "/" +
                             std::to_string(cell.row) + "/" + std::to_string(cell.col);
    screen_.click(name);
  }

  Screen& screen_;
};

class LessonInWindow : public testing::TestWithParam<LessonInfo> {};

TEST_P(LessonInWindow, IsPlayedToItsEndWithWrongAndRightAnswers) {
  Screen screen(*open_document("cat-sat"), kHigh);
  screen.workspace.queue(intent::Apply{SetTemperature{3}});
  screen.frames(2);
  const Document own = screen.document();
  const std::size_t state = screen.workspace.history().state_id();
  Student student(screen);
  student.open(GetParam().path);
  ASSERT_TRUE(lesson_is_open(screen.view.state())) << screen.view.state().error;
  LessonRun& run = student.run();
  for (std::size_t place = 0; place < run.lesson().steps.size(); ++place) {
    ASSERT_EQ(run.step_index(), place) << screen.view.state().error;
    for (std::size_t i = 0; i < run.questions().size(); ++i) {
      SCOPED_TRACE("line " + std::to_string(run.questions()[i]->line));
      const Question& question = *run.questions()[i];
      EXPECT_FALSE(run.state(i).solved) << "before anything was answered";
      const auto wrong = wrong_answers(question, student.live());
      for (const AnswerInput& given : wrong.value_or(std::vector<AnswerInput>())) {
        if (question.type == QuestionType::kMake) continue;
        student.give(i, given);
        ASSERT_TRUE(run.state(i).judgement);
        EXPECT_EQ(run.state(i).judgement->verdict, Verdict::kWrong);
        EXPECT_FALSE(run.state(i).solved);
      }
      while (run.has_hint(i, student.live())) student.press(i, "hint");
      student.solve_by_edits(i);
      student.give(i, right_answer(question, student.live()).value());
      EXPECT_TRUE(run.state(i).solved);
      EXPECT_EQ(screen.view.state().error, "");
    }
    for (const std::string& name : screen.view.state().lesson.view.highlights)
      EXPECT_TRUE(screen.shows(name)) << name << " is pointed out in step " << place + 1;
    screen.click("lesson/next");
  }
  EXPECT_TRUE(screen.view.state().lesson.finished);
  EXPECT_EQ(run.solved_count(), run.question_count());
  screen.click("lesson/end");
  screen.click("dialog/leave");
  EXPECT_FALSE(lesson_is_open(screen.view.state()));
  EXPECT_TRUE(same_document(screen.document(), own));
  EXPECT_EQ(screen.workspace.history().state_id(), state);
}

INSTANTIATE_TEST_SUITE_P(All, LessonInWindow, testing::ValuesIn(every_lesson()), lesson_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LessonInWindow);

const std::string kFront = "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n";
const std::string kSteps =
    kFront +
    "## One\n```lab\nopen cat-sat\nselect weights[1, 1, 0]\nlock mask sentence\nhide row head\n"
    "highlight card/output\n```\nSome text.\n"
    "```question number\nHow much?\nanswer: 10 + 1\nhint: Count.\n```\n"
    "```question make\nMake it more.\nuntil: temperature > 1.5\n"
    "solution: {\"do\":\"set_temperature\",\"value\":2}\n```\n"
    "## Two\n```question cell\nWhere?\nanswer: weights[1, 1, 0]\n```\n"
    "```question choice\nBoth\n- [x] a\n- [x] b\n- [ ] c\n```\n";

class Lessons : public testing::Test {
 protected:
  Lessons() { screen.frames(2); }
  std::string file(const std::string& text, const std::string& name = "my-lesson.md") {
    std::ofstream(temporary / name) << text;
    return temporary / name;
  }
  void open(const std::string& text = kSteps) { student.open(file(text)); }
  ViewState& state() { return screen.view.state(); }
  const LessonRun& run() const { return student.run(); }
  // The dialog of a worksheet, with `name` in its field.
  void open_dialog_for(const std::string& name) {
    screen.click("menu/File");
    screen.click("file.worksheet");
    screen.key(Key::kA, true);
    screen.type(temporary / name);
  }
  std::string bytes(const std::string& name) const {
    return read_bytes(temporary / name).value_or("");
  }
  ImVec2 middle(const std::string& name) const {
    const Rect rect = screen.place(name);
    return {rect.x + rect.w / 2, rect.y + rect.h / 2};
  }
  void apply(const Command& command) {
    screen.workspace.queue(intent::Apply{command});
    screen.workspace.drain();
    screen.frames(2);
  }

  TemporaryFolder temporary;
  Screen screen{*open_document("refer")};
  Student student{screen};
};

TEST_F(Lessons, ADroppedFileOpensAndLeavingRestoresTheWindow) {
  screen.click("stage/scores/3/2");
  screen.click("head/2");
  apply(SetTemperature{3});
  const Selection selection = state().selection;
  state().requests.ask(request::OpenFiles{{file(kSteps)}});
  screen.frames(4);
  ASSERT_TRUE(lesson_is_open(state())) << state().error;
  EXPECT_EQ(screen.document().title, open_document("cat-sat")->title);
  EXPECT_EQ(selected_cell(state().selection), (Cell{1, 0}));
  EXPECT_EQ(state().head, 0);
  screen.click("lesson/leave");
  screen.frames(3);
  EXPECT_EQ(screen.document().problem.config.temperature, 3.0f);
  EXPECT_TRUE(screen.workspace.modified());
  EXPECT_EQ(state().selection, selection);
  EXPECT_EQ(state().head, 1);
}

TEST_F(Lessons, AStepHidesLocksAndHighlights) {
  open();
  EXPECT_FALSE(screen.shows("row/1"));
  EXPECT_FALSE(screen.shows("head/enabled"));
  apply(SetTemperature{1.5f});
  EXPECT_EQ(screen.document().problem.config.temperature, 1.5f);
  const std::string sentence = screen.document().sentence;
  screen.click("sentence");
  screen.type("x");
  screen.frames(3);
  EXPECT_EQ(screen.document().sentence, sentence);
  EXPECT_EQ(state().sentence.text, sentence) << "the box shows what the document has";
  EXPECT_THAT(state().error, HasSubstr("sentence"));
  screen.click("lesson/next");
  EXPECT_TRUE(screen.shows("row/1"));
  screen.click("sentence");
  screen.type("x");
  EXPECT_NE(screen.document().sentence, sentence);
}

TEST_F(Lessons, WhatIsBehindATabIsHighlightedByItsTab) {
  ImGui::GetIO().DisplaySize = {1024, 640};
  for (const std::string name : {"button/variants", "tab/W_K", "model/temperature"}) {
    open(kFront + "## A\n```lab\nopen cat-sat\nhighlight " + name + "\n```\nText.\n");
    const Rect frame = screen.place("highlight/" + name);
    const Rect tab = screen.place("side/" + std::to_string(static_cast<int>(SideTab::kEdit)));
    EXPECT_LT(std::abs(frame.x - tab.x), 10) << name;
  }
}

TEST_F(Lessons, TheVerdictOnAnEditDisappearsWhenItIsUndone) {
  open(
      kFront +
      "## A\n```lab\nopen cat-sat\n```\n```question make\nMake it more.\nuntil: temperature > 1.5\n"
      "solution: {\"do\":\"set_temperature\",\"value\":2}\nright: It is `= temperature`.\n```\n");
  student.solve_by_edits(0);
  const float with_words = screen.place("lesson/1/said").h;
  apply(SetTemperature{1});
  EXPECT_TRUE(run().state(0).solved);
  EXPECT_LT(screen.place("lesson/1/said").h, with_words - 10);
  apply(SetTemperature{3});
  EXPECT_EQ(screen.place("lesson/1/said").h, with_words);
}

TEST_F(Lessons, AStepBeginsAtItsTop) {
  ImGui::GetIO().DisplaySize = {1600, 640};
  std::string text = kFront;
  for (const std::string step : {"One", "Two"}) {
    text += "## " + step + "\n```lab\nopen cat-sat\n```\n```question text\nHow?\n```\n";
    for (int i = 0; i < 40; ++i) text += "So.\n\n";
  }
  const auto scroll_down = [&] {
    screen.move(middle("card/lesson"));
    compat::feed_scroll(ImGui::GetIO(), {0, -30});
    screen.frames(3);
    EXPECT_FALSE(screen.shows("lesson/1/answer"));
  };
  open(text);
  EXPECT_TRUE(screen.shows("lesson/1/answer"));
  scroll_down();
  open(text);
  EXPECT_TRUE(screen.shows("lesson/1/answer")) << "of another lesson";
  scroll_down();
  screen.click("lesson/next");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("lesson/1/answer"));
  screen.click("lesson/back");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("lesson/1/answer")) << "the same step again";
}

TEST_F(Lessons, AFrameIsAroundWhatAStepHighlightsEvenInsideACard) {
  open(kFront + "## A\n```lab\nopen cat-sat\nhighlight model/temperature\n```\nText.\n");
  const Rect widget = screen.place("model/temperature");
  const Rect frame = screen.place("highlight/model/temperature");
  EXPECT_LT(frame.x, widget.x);
  EXPECT_GT(frame.right(), widget.right());
  const int shapes = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
  EXPECT_GT(shapes, 0) << "above the cards";
  state().requests.ask(request::OpenPopup{"lessons"});
  screen.frames(3);
  EXPECT_FALSE(screen.shows("highlight/model/temperature")) << "but below menus";
}

TEST_F(Lessons, TheVerdictOnAnAnswerIsScrolledIntoView) {
  ImGui::GetIO().DisplaySize = {1600, 640};
  std::string text = kFront + "## A\n```lab\nopen cat-sat\n```\n";
  for (int i = 0; i < 3; ++i)
    text += "```question number\nHow much?\nanswer: 1\nwrong: " + std::string(200, 'w') + "\n```\n";
  open(text);
  student.give(0, {{}, "2", {}});
  EXPECT_GT(screen.place("lesson/1/said").h, 20);
  EXPECT_FALSE(screen.shows("lesson/3/answer")) << "there would be nothing to scroll";
  screen.move(middle("card/lesson"));
  compat::feed_scroll(ImGui::GetIO(), {0, -30});
  screen.frames(3);
  student.give(2, {{}, "2", {}});
  EXPECT_GT(screen.place("lesson/3/said").h, 20);
}

TEST_F(Lessons, TabGoesFromAnAnswerToItsButtonsAndToTheNextQuestion) {
  open(
      kFront +
      "## A\n```lab\nopen cat-sat\n```\n```question number\nHow much?\nanswer: 2\nhint: Two.\n```\n"
      "```question number\nAnd now?\nanswer: 3\n```\n");
  const auto keyboard_focus = [&] {
    return state().keyboard_focus.on ? state().keyboard_focus.on->name : "";
  };
  screen.click("lesson/1/answer");
  screen.type("2");
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "lesson/1/check");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_TRUE(run().state(0).solved);
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "lesson/1/hint");
  screen.key(Key::kTab);
  screen.frames(8);
  screen.type("3");
  EXPECT_EQ(given_of(state(), 1).typed, "3") << "the next question is typed into at once";
  EXPECT_EQ(state().head, 0);
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "lesson/2/check");
  screen.key(Key::kTab, false, true);
  screen.frames(8);
  screen.key(Key::kTab, false, true);
  EXPECT_EQ(keyboard_focus(), "lesson/1/hint") << "Shift+Tab goes back";
}

TEST_F(Lessons, BackAndNextStayWhenTheCardsHeightChanges) {
  open(
      kFront +
      "## A\n```lab\nopen cat-sat\n```\n```question number\nHow much?\nanswer: 2\nhint: Two.\n```\n"
      "## B\nMuch\n\nmore\n\ntext\n\nin\n\nmany\n\nparts.\n");
  const Rect next = screen.place("lesson/next");
  const float height = screen.place("card/lesson").h;
  for (int i = 0; i < 2; ++i) student.press(0, "hint");
  screen.frames(2);
  EXPECT_GT(screen.place("card/lesson").h, height);
  EXPECT_EQ(screen.place("lesson/next").y, next.y);
  screen.click("lesson/next");
  screen.frames(2);
  EXPECT_EQ(screen.place("lesson/next").y, next.y);
  EXPECT_EQ(screen.place("lesson/next").x, next.x);
}

TEST_F(Lessons, ChangingAnAnswerRemovesTheVerdictOnTheLast) {
  open();
  student.give(0, {{}, "12", {}});
  ASSERT_TRUE(run().state(0).judgement);
  screen.click("lesson/1/answer");
  screen.type("3");
  EXPECT_FALSE(run().state(0).judgement);
  screen.click("lesson/next");
  screen.click("stage/weights/1/1");
  student.press(0, "check");
  ASSERT_TRUE(run().state(0).judgement);
  screen.click("stage/weights/1/0");
  EXPECT_FALSE(run().state(0).judgement);
  student.press(0, "check");
  screen.click("stage/weights/1/1");
  EXPECT_TRUE(run().state(0).judgement) << "of a question that is solved, it stays";
  EXPECT_EQ(given_of(state(), 0).clicked->col, 0);
}

TEST_F(Lessons, WhatCannotBeComputedIsReportedBesideTheQuestion) {
  open(kFront +
       "## A\n```lab\nopen cat-sat\n```\n```question number\nHow much?\n"
       "answer: position[0, 1]\n```\n");
  student.give(0, {{}, "2", {}});
  ASSERT_TRUE(run().state(0).judgement);
  EXPECT_THAT(run().state(0).judgement->message, HasSubstr("position"));
  EXPECT_EQ(run().state(0).tries, 0);
}

TEST_F(Lessons, TheLessonTakesTheWholeColumnWhenAllElseIsHidden) {
  std::string text = kFront + "## A\n```lab\nopen cat-sat\n```\n## B\n```lab\nhide explain, row, ";
  text += "head, edit, model, tokens, heads\n```\n";
  for (int i = 0; i < 100; ++i) text += "A paragraph.\n\n";
  open(text);
  screen.click("lesson/next");
  EXPECT_GT(screen.place("card/lesson").h, 800);
  EXPECT_LT(screen.place("card/Q").x, 50) << "the maps take the place of the left column";
  EXPECT_FALSE(screen.shows("head/1"));
}

TEST_F(Lessons, WhatAStepHighlightsIsScrolledIntoView) {
  ImGui::GetIO().DisplaySize = {1600, 600};
  screen.frames(3);
  ASSERT_FALSE(screen.shows("card/output"));
  open();
  ASSERT_TRUE(screen.shows("card/output"));
  EXPECT_GT(screen.place("card/output").h, 150);
}

TEST_F(Lessons, ANumberIsTypedCheckedAndHintedAt) {
  open();
  screen.click("lesson/1/answer");
  screen.type("10");
  screen.key(Key::kEnter);
  EXPECT_EQ(run().state(0).judgement->verdict, Verdict::kWrong);
  student.press(0, "hint");
  EXPECT_EQ(run().state(0).hints, 1);
  student.press(0, "hint");
  EXPECT_FALSE(screen.shows("lesson/1/hint")) << "the arithmetic was the last";
  student.give(0, {{}, "11", {}});
  EXPECT_TRUE(run().state(0).solved);
  EXPECT_EQ(screen.document().sentence, open_document("cat-sat")->sentence)
      << "what is typed in a field goes nowhere else";
}

TEST_F(Lessons, AnEditAnswersOnceItIsCommitted) {
  open();
  const ImVec2 start = middle("model/temperature");
  screen.move(start);
  screen.press();
  screen.move({start.x + 30, start.y});
  screen.frames(2);
  ASSERT_GT(screen.document().problem.config.temperature, 1.5f);
  EXPECT_FALSE(run().state(1).solved) << "a drag may be taken back";
  screen.release();
  EXPECT_TRUE(run().state(1).solved);
}

TEST_F(Lessons, ACellCountsOnceItIsClickedAlsoWhenItIsSelectedAlready) {
  open();
  screen.click("lesson/next");
  EXPECT_EQ(selected_cell(state().selection), (Cell{1, 0})) << "the window stays as it was";
  student.press(0, "check");
  EXPECT_FALSE(run().state(0).solved);
  EXPECT_EQ(run().state(0).tries, 0);
  screen.click("stage/weights/1/0");
  student.press(0, "check");
  EXPECT_TRUE(run().state(0).solved);
}

TEST_F(Lessons, SeveralAnswersCanBeRightAtOnce) {
  open();
  screen.click("lesson/next");
  student.give(1, {{0}, {}, {}});
  EXPECT_THAT(run().state(1).judgement->message, HasSubstr("not complete"));
  student.give(1, {{0, 1}, {}, {}});
  EXPECT_TRUE(run().state(1).solved);
}

TEST_F(Lessons, EachStepIsKeptUntilItIsRestarted) {
  open();
  student.give(0, {{}, "12", {}});
  apply(SetTemperature{2});
  screen.click("lesson/next");
  apply(SetTemperature{4});
  screen.click("lesson/back");
  EXPECT_EQ(screen.document().problem.config.temperature, 2.0f);
  EXPECT_EQ(given_of(state(), 0).typed, "12");
  EXPECT_TRUE(screen.shows("lesson/1/answer"));
  screen.click("menu/lesson");
  screen.click("menu/lesson/restart");
  screen.frames(2);
  screen.click("dialog/ok");
  EXPECT_EQ(screen.document().problem.config.temperature, 1.0f);
  screen.click("lesson/step/2");
  EXPECT_EQ(screen.document().problem.config.temperature, 4.0f);
}

TEST_F(Lessons, LeavingAsksBeforeAnswersAreLost) {
  open();
  student.give(0, {{}, "11", {}});
  screen.click("lesson/leave");
  ASSERT_TRUE(screen.shows("dialog/stay"));
  screen.click("dialog/stay");
  EXPECT_TRUE(lesson_is_open(state()));
  screen.click("lesson/leave");
  screen.click("dialog/leave");
  EXPECT_FALSE(lesson_is_open(state()));
}

TEST_F(Lessons, QuittingAndOpeningLeaveTheLessonFirst) {
  apply(SetTemperature{3});
  open();
  state().requests.ask(request::Leave{destination::Quit{}});
  screen.frames(4);
  EXPECT_FALSE(lesson_is_open(state()));
  EXPECT_TRUE(screen.shows("dialog/discard")) << "the own work is not saved";
  EXPECT_EQ(screen.document().problem.config.temperature, 3.0f);
  screen.click("dialog/cancel");
  EXPECT_FALSE(state().quit);
  open();
  state().requests.ask(request::Leave{destination::Source{"cat-sat"}});
  screen.frames(4);
  screen.click("dialog/discard");
  screen.frames(3);
  EXPECT_EQ(screen.document().title, open_document("cat-sat")->title);
  EXPECT_FALSE(screen.workspace.work_suspended());
}

TEST_F(Lessons, WrittenWordsAreAnAnswerEvenWithoutDone) {
  const std::string text =
      kFront + "## A\n```lab\nopen cat-sat\n```\n```question text\nWhy?\n```\n## B\n";
  open(text);
  student.press(0, "answer");
  screen.type("because it is so");
  screen.key(Key::kEscape);
  EXPECT_EQ(given_of(state(), 0).typed, "because it is so") << "Esc only leaves the field";
  screen.click("lesson/leave");
  ASSERT_TRUE(screen.shows("dialog/stay")) << "it would be lost";
  screen.click("dialog/stay");
  EXPECT_THAT(run().results_csv(), HasSubstr("because it is so"));
}

TEST_F(Lessons, SavingTheAnswersThenLeaves) {
  open();
  student.give(0, {{}, "11", {}});
  screen.click("lesson/leave");
  screen.click("dialog/save");
  screen.key(Key::kA, true);
  screen.type(temporary / "answers.csv");
  screen.key(Key::kEnter);
  screen.frames(4);
  EXPECT_THAT(read_bytes(temporary / "answers.csv").value(), HasSubstr(",number,11,right,0"));
  EXPECT_FALSE(lesson_is_open(state()));
}

TEST_F(Lessons, AFinishedLessonSaysWhetherItsAnswersAreKept) {
  open();
  screen.click("lesson/next");
  screen.click("lesson/next");
  ASSERT_TRUE(state().lesson.finished);
  EXPECT_FALSE(screen.shows("lesson/kept")) << "there are no answers";
  screen.click("lesson/back");
  screen.click("lesson/back");
  student.give(0, {{}, "11", {}});
  screen.click("lesson/next");
  screen.click("lesson/next");
  EXPECT_TRUE(screen.shows("lesson/kept"));
}

TEST_F(Lessons, TabGoesFromAClickedChoiceToItsButton) {
  open(kFront +
       "## A\n```lab\nopen cat-sat\n```\n```question choice\nWhich?\n- [x] a\n- [ ] b\n"
       "- [ ] c\n```\n");
  screen.click("lesson/1/choice/1");
  screen.key(Key::kTab);
  ASSERT_TRUE(state().keyboard_focus.on);
  EXPECT_EQ(state().keyboard_focus.on->name, "lesson/1/check");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(run().state(0).solved);
}

TEST_F(Lessons, EnterAnswersWithTheClickedCell) {
  open(kFront +
       "## A\n```lab\nopen cat-sat\n```\n```question cell\nWhere?\n"
       "answer: weights[1, 1, 0]\n```\n");
  screen.click("stage/weights/1/0");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(run().state(0).solved);
  EXPECT_FALSE(state().overriding.typing) << "it opens no field";
}

TEST_F(Lessons, ToClickACellIsSaidOnce) {
  open(kFront +
       "## A\n```lab\nopen cat-sat\n```\n```question cell\nWhere?\n"
       "answer: weights[1, 1, 0]\n```\n");
  const float before = screen.place("lesson/1/check").y;
  student.press(0, "check");
  screen.frames(2);
  EXPECT_LT(screen.place("lesson/1/check").y, before) << "it moved below the button";
  EXPECT_GT(screen.place("lesson/1/said").h, 5);
}

TEST_F(Lessons, TheReplyToAnEditIsScrolledIntoView) {
  for (const ImVec2 size : {ImVec2{1280, 720}, {1024, 640}}) {
    ImGui::GetIO().DisplaySize = size;
    student.open("masks");
    screen.frames(2);
    screen.click("lesson/next");
    screen.frames(3);
    const bool behind_tab = !screen.shows("model/mask");
    if (behind_tab) screen.click("side/0");
    screen.click("model/mask");
    screen.click("mask/causal");
    screen.workspace.drain();
    screen.frames(4);
    if (behind_tab) screen.click("side/3");
    screen.frames(4);
    ASSERT_TRUE(run().state(0).solved);
    const Rect card = screen.place("card/lesson"), said = screen.place("lesson/1/said");
    EXPECT_GE(said.y, card.y) << size.x;
    EXPECT_LE(said.y + said.h, card.y + card.h) << size.x;
    state().lesson.unsaved = false;
  }
}

// The questions of two steps.
const char* const kTwoSteps =
    "## A\n```lab\nopen cat-sat\n```\n```question choice\nWhich?\n- [x] a\n- [ ] b\n```\n"
    "## B\n```question number\nHow much?\nanswer: 2\n```\n"
    "```question number\nAnd now?\nanswer: 3\n```\n"
    "## C\n```question choice\nWhich?\n- [x] a\n- [ ] b\n```\n";

TEST_F(Lessons, NextLeadsTheKeyboardToTheFirstQuestion) {
  open(kFront + kTwoSteps);
  screen.key(Key::kPageDown, true);
  screen.frames(4);
  ASSERT_EQ(run().step_index(), 1u);
  screen.type("2");
  EXPECT_EQ(given_of(state(), 0).typed, "2");
  EXPECT_FALSE(state().lesson.more_above) << "the step begins at its top";
  screen.click("lesson/next");
  screen.frames(4);
  screen.key(Key::kTab);
  ASSERT_TRUE(state().keyboard_focus.on);
  EXPECT_EQ(state().keyboard_focus.on->name, "lesson/1/choice/1");
}

TEST_F(Lessons, ARightAnswerLeadsToTheNextQuestion) {
  open(kFront + kTwoSteps);
  screen.click("lesson/next");
  screen.frames(4);
  for (const char* answer : {"7", "2", "3"}) {
    screen.type(answer);
    screen.key(Key::kEnter);
    screen.frames(4);
  }
  EXPECT_TRUE(run().state(0).solved) << given_of(state(), 0).typed;
  EXPECT_TRUE(run().state(1).solved) << given_of(state(), 1).typed;
  EXPECT_FALSE(compat::text_field_has_keys()) << "no question is left";
}

TEST_F(Lessons, AQuestionIsWholeInALowWindow) {
  ImGui::GetIO().DisplaySize = {1366, 768};
  const std::string text = [] {
    std::string lines;
    for (int i = 0; i < 9; ++i) lines += "A line of text.\n\n";
    return lines;
  }();
  open(kFront + "## A\n```lab\nopen cat-sat\n```\n" + text +
       "```question number\nHow much?\nanswer: 2\n```\n");
  screen.frames(4);
  ASSERT_TRUE(screen.shows("lesson/1/check"));
  EXPECT_GE(screen.place("lesson/1/check").h, 20);
}

TEST_F(Lessons, TheNextAttemptIsTypedAtOnce) {
  open();
  screen.click("lesson/1/answer");
  screen.type("10");
  screen.key(Key::kEnter);
  screen.frames(3);
  screen.type("11");
  screen.key(Key::kEnter);
  EXPECT_TRUE(run().state(0).solved) << given_of(state(), 0).typed;
}

TEST_F(Lessons, OneLessonFollowsAnotherAndTheOwnWorkWaits) {
  apply(SetTemperature{3});
  open();
  student.open("softmax");
  ASSERT_TRUE(lesson_is_open(state()));
  EXPECT_EQ(state().lesson.run->lesson().title, built_in_lessons()[3].title);
  screen.click("lesson/leave");
  screen.frames(2);
  EXPECT_EQ(screen.document().problem.config.temperature, 3.0f);
}

TEST_F(Lessons, ABrokenLessonIsReportedWithItsLineAndChangesNothing) {
  const Document before = screen.document();
  const std::string front = kFront + "## A\n";
  open(front + "```lab\nopen cat-sat\nfly away\n```\n");
  EXPECT_FALSE(lesson_is_open(state()));
  EXPECT_THAT(state().error, HasSubstr("my-lesson.md:10: "));
  open(front + "```lab\nopen nowhere\n```\n");
  EXPECT_FALSE(lesson_is_open(state()));
  EXPECT_THAT(state().error, HasSubstr("my-lesson.md:9: "));
  EXPECT_TRUE(same_document(screen.document(), before));
  open(front +
       "```lab\nopen cat-sat\n```\nText `= weights[9, it, 0]`.\n## B\n```lab\nhead 7\n```\n");
  ASSERT_TRUE(lesson_is_open(state()));
  screen.click("lesson/next");
  EXPECT_THAT(state().error, HasSubstr("my-lesson.md:14: "));
  EXPECT_EQ(run().step_index(), 0u);
}

TEST_F(Lessons, MarkdownThatIsNotALessonIsReportedAndOtherFilesKeepTheirKind) {
  open("# Notes\nNothing more.\n");
  EXPECT_THAT(state().error, HasSubstr("my-lesson.md:1: "));
  student.open(file(write_session(make_document("a session after all", {}, 1)), "session.md"));
  EXPECT_EQ(screen.document().sentence, "a session after all") << state().error;
}

TEST_F(Lessons, AWorksheetIsOfTheLessonOrOfTheHead) {
  const auto write = [this](const std::string& name, const std::string& seed) {
    open_dialog_for(name);
    EXPECT_EQ(state().dialog.worksheet.seed, "") << "other numbers only where they are asked for";
    screen.click("worksheet/seed");
    screen.key(Key::kA, true);
    screen.type(seed);
    screen.click("dialog/ok");
    screen.frames(2);
  };
  write("own.pdf", "7");
  write("again.pdf", "7");
  write("other.pdf", "8");
  EXPECT_EQ(bytes("own.pdf").substr(0, 5), "%PDF-");
  EXPECT_EQ(bytes("own.pdf"), bytes("again.pdf"));
  EXPECT_NE(bytes("own.pdf"), bytes("other.pdf"));
  write("wrong.pdf", "seven");
  state().dialog.worksheet.seed.clear();
  EXPECT_THAT(state().dialog.problem, HasSubstr("whole number"));
  screen.click("dialog/cancel");
  student.open("cat-sat-by-hand");
  write("lesson.pdf", "7");
  EXPECT_EQ(bytes("lesson.pdf").substr(0, 5), "%PDF-");
  EXPECT_NE(bytes("lesson.pdf"), bytes("own.pdf"));
  student.open("find-the-mistake");
  open_dialog_for("mistake.pdf");
  EXPECT_FALSE(screen.shows("worksheet/seed")) << "its words are about its own numbers";
}

TEST_F(Lessons, AWorksheetHasANameAnEndingAndAFolder) {
  screen.click("menu/File");
  screen.click("file.worksheet");
  EXPECT_EQ(state().dialog.path, "worksheet.pdf");
  EXPECT_TRUE(screen.shows("worksheet/folder"));
  screen.click("dialog/cancel");
  student.open("cat-sat-by-hand");
  screen.click("menu/File");
  screen.click("file.worksheet");
  EXPECT_EQ(state().dialog.path, "cat-sat-by-hand.pdf");
  screen.click("dialog/cancel");
  open_dialog_for("sheet");
  screen.click("dialog/ok");
  screen.frames(3);
  EXPECT_EQ(bytes("sheet.pdf").substr(0, 5), "%PDF-") << state().dialog.problem;
}

TEST_F(Lessons, ANarrowWindowHasATabForThem) {
  for (const float width : {1024.0f, 600.0f}) {
    ImGui::GetIO().DisplaySize = {width, 640};
    open();
    screen.frames(3);
    EXPECT_TRUE(screen.shows("lesson/next")) << width;
    EXPECT_GE(screen.place("lesson/next").w, 40);
    screen.click("lesson/leave");
    EXPECT_FALSE(screen.shows("side/3"));
  }
}

TEST_F(Lessons, ArePresentedAStepAtATimeWithTheAnswerOnDemand) {
  open();
  screen.key(Key::kF5);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("card/output")) << "what the step points out";
  EXPECT_FALSE(screen.shows("card/weights"));
  EXPECT_GT(screen.place("card/lesson").h, 500);
  EXPECT_FALSE(state().lesson.answers_shown);
  screen.click("lesson/1/answer");
  screen.type("1a c");
  screen.key(Key::kA);
  EXPECT_EQ(given_of(state(), 0).typed, "1a c") << "a field takes what are keys elsewhere";
  EXPECT_FALSE(state().lesson.answers_shown);
  screen.key(Key::kEnter);
  screen.key(Key::kA);
  EXPECT_TRUE(state().lesson.answers_shown);
  screen.key(Key::kPageDown);
  EXPECT_EQ(run().step_index(), 1u);
  EXPECT_FALSE(state().lesson.answers_shown) << "each question is asked first";
  screen.key(Key::kPageUp);
  EXPECT_EQ(run().step_index(), 0u);
  screen.key(Key::kSpace);
  screen.key(Key::kSpace);
  EXPECT_TRUE(state().lesson.finished);
  const ThemeId before = state().theme;
  screen.key(Key::kC);
  EXPECT_EQ(state().theme, ThemeId::kHighContrast);
  screen.key(Key::kEscape);
  screen.frames(3);
  EXPECT_EQ(state().theme, before);
  EXPECT_EQ(state().scale, 1);
  EXPECT_TRUE(lesson_is_open(state()));
  EXPECT_TRUE(screen.shows("lesson/end"));
}

TEST_F(Lessons, KeysBringEveryAnswerIntoViewInAClass) {
  std::string text = kFront + "## One\n```lab\nopen cat-sat\n```\n";
  for (int i = 0; i < 6; ++i)
    text +=
        "```question number\nHow much?\nanswer: scores[1, 0, " + std::to_string(i % 2) + "]\n```\n";
  open(text + "## Two\nThe end.\n");
  screen.key(Key::kF5);
  screen.frames(3);
  screen.key(Key::kA);
  screen.frames(3);
  const Rect card = screen.place("card/lesson");
  const auto sees_last = [&] {
    const auto& widgets = screen.view.widgets().widgets();
    const auto said = widgets.find("lesson/6/said");
    return said != widgets.end() && said->second.bottom() <= card.bottom();
  };
  EXPECT_FALSE(sees_last());
  for (int i = 0; i < 60 && !sees_last(); ++i) screen.key(Key::kDown);
  EXPECT_TRUE(sees_last());
  for (int i = 0; i < 60; ++i) screen.key(Key::kUp);
  EXPECT_FALSE(sees_last());
  for (int i = 0; i < 10 && !sees_last(); ++i) {
    EXPECT_EQ(run().step_index(), 0u) << "pages of the text come first";
    screen.key(Key::kPageDown);
    screen.frames(2);
  }
  EXPECT_TRUE(sees_last());
  screen.key(Key::kPageDown);
  screen.frames(2);
  EXPECT_EQ(run().step_index(), 1u);
}

TEST_F(Lessons, TheClassSeesTheMapThatItIsToClickIn) {
  open(kFront +
       "## One\n```lab\nopen cat-sat\nselect K[1, 0, 0]\n```\n"
       "```question number\nHow much?\nanswer: 1\n```\n"
       "```question cell\nWhere?\nanswer: scores[1, 1, 0]\n```\n");
  screen.key(Key::kF5);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("card/K")) << "the one that is selected";
  student.give(0, {{}, "1", {}});
  screen.frames(2);
  EXPECT_TRUE(screen.shows("card/scores"));
  student.give(1, right_answer(*run().questions()[1], student.live()).value());
  screen.frames(2);
  EXPECT_TRUE(run().state(1).solved);
  EXPECT_TRUE(screen.shows("card/scores")) << "it stays";
}

TEST_F(Lessons, KeysLeadFromStepToStepInTheWindow) {
  open();
  screen.key(Key::kPageDown, true);
  EXPECT_EQ(run().step_index(), 1u);
  screen.key(Key::kPageUp, true);
  EXPECT_EQ(run().step_index(), 0u);
}

TEST_F(Lessons, AreListedAndOfferedOnce) {
  state().lesson.offered = true;
  screen.frames(2);
  ASSERT_TRUE(screen.shows("offer/start"));
  screen.click("offer/start");
  screen.frames(3);
  ASSERT_TRUE(lesson_is_open(state()));
  EXPECT_EQ(state().lesson.path, built_in_lessons().front().path);
  screen.click("lesson/leave");
  EXPECT_FALSE(screen.shows("offer/start"));
  state().requests.ask(request::OpenPopup{"lessons"});
  screen.frames(3);
  for (const LessonInfo& lesson : built_in_lessons())
    EXPECT_TRUE(screen.shows("lessons/" + lesson.name));
  screen.click("lessons/masks");
  screen.frames(3);
  EXPECT_EQ(state().lesson.path, built_in_lessons()[7].path);
}

}  // namespace
}  // namespace lab
