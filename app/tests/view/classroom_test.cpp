// What a teacher noticed in lessons: where the keyboard is, what moves, what is asked, what is
// said.
#include <gmock/gmock.h>

#include "app/figure/page_size.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"

namespace lab {
namespace {

using attention::Stage;
using testing::HasSubstr;

const std::string kFirst =
    "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n```lab\nopen cat-sat\n```\n";
const std::string kNumber = "```question number\nHow much?\nanswer: 2\nhint: Two.\n```\n";

class Classroom : public testing::Test {
 protected:
  void SetUp() override { screen.frames(2); }
  void TearDown() override { set_language(Language::kEnglish, {}); }

  ViewState& state() { return screen.view.state(); }
  LessonRun& run() { return *state().lesson.run; }
  std::string typed(std::size_t question) { return given_of(state(), question).typed; }
  void open_source(const std::string& source) {
    state().requests.ask(request::Leave{destination::Source{source}});
    screen.frames(8);
    ASSERT_TRUE(lesson_is_open(state())) << state().error;
  }
  void open(const std::string& rest) { open_source(temporary.write("my.md", kFirst + rest)); }
  void from_menu(const std::string& item) {
    screen.click("menu/lesson");
    screen.frames(2);
    screen.click("menu/lesson/" + item);
    screen.frames(4);
  }

  TemporaryFolder temporary;
  Screen screen{*open_document("refer"), {1366, 768}};
};

TEST_F(Classroom, TheFirstBoxHasTheKeyboardWhenALessonIsOpened) {
  open(kNumber + kNumber);
  screen.type("2");
  EXPECT_EQ(typed(0), "2");
  EXPECT_EQ(state().head, 0) << "a digit is not a shortcut";
}

TEST_F(Classroom, AndWhenItIsChosenInTheList) {
  state().requests.ask(request::OpenPopup{"lessons"});
  screen.frames(3);
  screen.click("lessons/cat-sat-by-hand");
  screen.frames(8);
  ASSERT_TRUE(lesson_is_open(state()));
  screen.click("lesson/step/2");
  screen.type("3");
  EXPECT_EQ(typed(0), "3") << "after a click on the bar";
}

TEST_F(Classroom, TheFirstBoxThatIsNotAnsweredHasTheKeyboard) {
  open(kNumber + kNumber + "## B\nText.\n");
  screen.click("lesson/1/answer");
  screen.type("2");
  screen.click("lesson/1/check");
  ASSERT_TRUE(run().state(0).solved);
  const std::string first = typed(0);
  screen.click("lesson/step/2");
  screen.click("lesson/back");
  screen.frames(4);
  screen.type("7");
  EXPECT_EQ(typed(0), first);
  EXPECT_EQ(typed(1), "7");
}

TEST_F(Classroom, NothingMovesWhenAnAnswerIsChangedAfterAWrongTry) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "A line of text.\n\n";
  open(lines + "```question number\nHow much?\nanswer: 2\nwrong: Count once more.\n```\n");
  screen.move({screen.place("card/lesson").x + 50, screen.place("card/lesson").y + 200});
  for (int i = 0; i < 20; ++i) {
    compat::feed_scroll(ImGui::GetIO(), {0, -10});
    screen.frames(2);
  }
  screen.click("lesson/1/answer");
  screen.type("1");
  screen.click("lesson/1/check");
  ASSERT_TRUE(run().state(0).judgement);
  const float check = screen.place("lesson/1/check").y, said = screen.place("lesson/1/said").h;
  EXPECT_GT(said, 20);
  screen.click("lesson/1/answer");
  screen.type("5");
  screen.frames(4);
  EXPECT_FALSE(run().state(0).judgement) << "it was about another answer";
  EXPECT_EQ(screen.place("lesson/1/check").y, check);
  screen.click("lesson/step/1");
  EXPECT_FALSE(screen.shows("lesson/1/said")) << "another visit needs no room";
}

TEST_F(Classroom, AHintAfterTheLastTryIsNotSavedYet) {
  open(kNumber);
  screen.click("lesson/1/answer");
  screen.type("1");
  screen.click("lesson/1/check");
  state().lesson.unsaved = false;  // as after saving
  screen.click("lesson/1/hint");
  EXPECT_TRUE(state().lesson.unsaved);
  EXPECT_THAT(run().results_csv(), HasSubstr(",number,1,wrong,1\r\n"));
}

TEST_F(Classroom, AsksBeforeAnswersToAStepAreCleared) {
  open(kNumber);
  from_menu("restart");
  EXPECT_EQ(state().dialog.open, Dialog::kNone) << "there is nothing to lose";
  screen.click("lesson/1/answer");
  screen.type("1");
  from_menu("restart");
  ASSERT_TRUE(screen.shows("dialog/cancel"));
  EXPECT_EQ(typed(0), "1");
  screen.click("dialog/cancel");
  EXPECT_EQ(typed(0), "1");
  from_menu("restart");
  screen.click("dialog/ok");
  EXPECT_EQ(typed(0), "");
}

TEST_F(Classroom, InLessonsAboutWeightsTheirColoursAreThoseOfTheWholeScale) {
  for (const char* lesson : {"04-softmax.md", "de/04-softmax.md"}) {
    open_source(assets_folder() + "/lessons/" + lesson);
    screen.click("lesson/step/4");
    state().inspection.large = Stage::kWeights;
    screen.frames(2);
    ASSERT_LT(screen.workspace.trace().heads[0].weights->maxCoeff(), 0.1f);
    EXPECT_EQ(screen.sink.painted.back().range, (Range{0, 1})) << lesson;
  }
}

TEST_F(Classroom, AStepChoosesTheColoursOfAMap) {
  open("```lab\nrange scores -2 5\n```\n" + kNumber);
  state().inspection.large = Stage::kScores;
  screen.frames(2);
  EXPECT_EQ(screen.sink.painted.back().range, (Range{-2, 5}));
  state().requests.ask(request::Leave{destination::OwnWork{}});
  screen.frames(4);
  state().inspection.large = Stage::kScores;
  screen.frames(2);
  EXPECT_NE(screen.sink.painted.back().range, (Range{-2, 5})) << "of the own work";
}

TEST_F(Classroom, PresentIsInTheBarOfASmallWindowInEveryLanguage) {
  for (const Language one : {Language::kEnglish, Language::kGerman}) {
    state().language = one;
    screen.frames(4);
    EXPECT_TRUE(screen.shows("button/present")) << language_name(one);
    EXPECT_TRUE(screen.shows("menu/Example")) << language_name(one);
  }
}

TEST_F(Classroom, WhatMakesNumbersTooLargeForASlideIsNamed) {
  screen.workspace.queue(
      intent::Apply{SetSentence{"a b c d e f g h i j k l m n o p q r s t u v w x y z"}});
  screen.frames(2);
  screen.key(Key::kE, true);
  DialogState& dialog = state().dialog;
  dialog.exporting.figure.annotate = true;
  use_page(dialog.exporting.figure, kPagePresets[3]);
  dialog.exporting.figure.font_size = 18;
  screen.frames(3);
  ASSERT_TRUE(screen.shows("dialog/numbers_note"));
  const std::string note = dialog.numbers_note;
  EXPECT_THAT(note, HasSubstr("at 18 pt"));
  const std::size_t at = note.rfind(" pt");
  dialog.exporting.figure.font_size = std::stod(note.substr(note.rfind(' ', at - 1)));
  screen.frames(3);
  EXPECT_FALSE(screen.shows("dialog/numbers_note")) << note;
}

}  // namespace
}  // namespace lab
