// What a student has written is not lost, and the keyboard is where the caret is.
#include <gmock/gmock.h>

#include <cstdlib>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/wrapped_box.h"

namespace lab {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kBeginning =
    "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n## A\n```lab\nopen cat-sat\n```\n";
const std::string kText = "```question text\nWhy?\n```\n";
const std::string kNumber = "```question number\nHow much?\nanswer: 2\nhint: Two.\n```\n";

class LessonAnswers : public testing::Test {
 protected:
  LessonAnswers() { screen.frames(2); }

  ViewState& state() { return screen.view.state(); }
  LessonRun& run() { return *state().lesson.run; }
  void leave_for(const Destination& next) {
    state().requests.ask(request::Leave{next});
    screen.frames(4);
  }
  void open(const std::string& rest) {
    leave_for(destination::Source{temporary.write("my.md", kBeginning + rest)});
    ASSERT_TRUE(lesson_is_open(state())) << state().error;
  }
  Snapshot live_now() const { return {screen.workspace.document(), screen.workspace.trace()}; }
  void write(const std::string& text) {
    screen.click("lesson/1/answer");
    screen.frames(2);
    screen.key(Key::kEnd, true);
    screen.type(text);
    screen.frames(2);
  }
  void next_by_keys() {
    screen.key(Key::kPageDown, true);
    screen.frames(6);
  }
  void enter_by_keys(const std::string& field) {
    for (int i = 0; i < 40 && keyboard_focus() != field; ++i) {
      screen.key(Key::kTab);
      screen.frames(4);
    }
    if (state().keyboard_focus.on) screen.key(Key::kEnter);
    screen.frames(8);
  }
  // Where the keyboard focus is, or the field that it entered.
  std::string keyboard_focus() {
    const KeyboardFocus& keyboard_focus = state().keyboard_focus;
    return keyboard_focus.on                           ? keyboard_focus.on->name
           : keyboard_focus.inside != Inside::kNothing ? keyboard_focus.entered.name
                                                       : "";
  }

  TemporaryFolder temporary;
  Screen screen{*open_document("refer")};
};

TEST_F(LessonAnswers, TheLastPageAsksBeforeTheyAreLost) {
  open(kText);
  write("so");
  screen.click("lesson/next");
  ASSERT_TRUE(state().lesson.finished);
  for (const Destination& next :
       {Destination(destination::Quit{}), Destination(destination::Source{"masks"}),
        Destination(destination::Source{"cat-sat"}), Destination(destination::OwnWork{})}) {
    leave_for(next);
    ASSERT_TRUE(screen.shows("dialog/stay")) << next.index();
    EXPECT_FALSE(state().quit);
    screen.click("dialog/stay");
    screen.frames(2);
    EXPECT_THAT(run().results_csv(), HasSubstr("so"));
  }
  leave_for(destination::Quit{});
  screen.click("dialog/leave");
  screen.frames(4);
  EXPECT_TRUE(state().quit);
}

TEST_F(LessonAnswers, TheButtonOfTheNextLessonAsksToo) {
  leave_for(destination::Source{"softmax"});
  for (std::size_t place = 0; place < run().lesson().steps.size(); ++place)
    screen.click("lesson/next");
  ASSERT_TRUE(state().lesson.finished);
  state().lesson.unsaved = true;
  screen.click("lesson/after");
  screen.frames(4);
  ASSERT_TRUE(screen.shows("dialog/stay"));
  EXPECT_EQ(run().lesson().title, built_in_lessons()[3].title);
  screen.click("dialog/leave");
  screen.frames(4);
  EXPECT_EQ(run().lesson().title, built_in_lessons()[4].title);
}

TEST_F(LessonAnswers, AStepIsNotBegunAgainFromTheLastPage) {
  open(kText);
  screen.click("lesson/next");
  screen.click("menu/lesson");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("menu/lesson/save"));
  EXPECT_FALSE(screen.shows("menu/lesson/restart")) << "of which nothing is in sight";
}

TEST_F(LessonAnswers, WhatIsInTheBoxIsWhatIsSaved) {
  open(kText);
  write("old");
  screen.click("lesson/1/check");
  ASSERT_TRUE(run().state(0).judgement);
  state().lesson.unsaved = false;  // as after saving
  write(" and new");
  EXPECT_FALSE(run().state(0).judgement) << "Noted. is not beside another text";
  screen.key(Key::kEscape);
  leave_for(destination::OwnWork{});
  ASSERT_TRUE(screen.shows("dialog/save")) << "the new text is not saved";
  screen.click("dialog/save");
  screen.key(Key::kA, true);
  screen.type(temporary / "answers.csv");
  screen.key(Key::kEnter);
  screen.frames(4);
  const std::string table = read_bytes(temporary / "answers.csv").value();
  EXPECT_THAT(table, HasSubstr(",text,old and new,"));
  EXPECT_THAT(table, Not(HasSubstr(",text,old,")));
  EXPECT_TRUE(table.starts_with("\xEF\xBB\xBFlesson,student,")) << "for umlauts in spreadsheets";
}

TEST_F(LessonAnswers, LineEndsAreThoseThatTheStudentTyped) {
  open(kText);
  std::string words = "because it is so";
  for (int i = 0; i < 12; ++i) words += ", and so are all of them";
  write(words);
  ASSERT_THAT(state().written_box.shown, HasSubstr("\n")) << "the box is not too narrow";
  EXPECT_EQ(given_of(state(), 0).typed, words);
  screen.key(Key::kEnter);
  screen.frames(2);
  screen.type("Therefore.");
  screen.key(Key::kHome, true);
  screen.type("Well, ");
  screen.frames(2);
  EXPECT_EQ(given_of(state(), 0).typed, "Well, " + words + "\nTherefore.");
  screen.click("lesson/1/check");
  EXPECT_THAT(run().results_csv(), HasSubstr("\"Well, " + words + "\nTherefore.\""));
}

TEST_F(LessonAnswers, AnEditInAWrappedBoxKeepsTheRest) {
  EXPECT_EQ(unwrapped_text("aa bb cc", "aa\nbb\ncc", "aa\nbbx\ncc"), "aa bbx cc");
  EXPECT_EQ(unwrapped_text("aa bb cc", "aa\nbb\ncc", "aa\n\nbb\ncc"), "aa \nbb cc");
  EXPECT_EQ(unwrapped_text("aa bb cc", "aa\nbb\ncc", "aabb\ncc"), "aabb cc");
  EXPECT_EQ(unwrapped_text("aa bb cc", "aa\nbb\ncc", ""), "");
  EXPECT_EQ(unwrapped_text("", "", "x y"), "x y");
}

TEST_F(LessonAnswers, TheRingFollowsTheCaretIntoTheNextStep) {
  open("Text.\n## B\n" + kNumber + "## C\n```question choice\nWhich?\n- [x] a\n- [ ] b\n```\n");
  for (int i = 0; i < 8 && keyboard_focus() != "lesson/next"; ++i) screen.key(Key::kTab);
  screen.key(Key::kF6);
  screen.frames(2);
  ASSERT_NE(keyboard_focus(), "");
  next_by_keys();
  ASSERT_EQ(run().step_index(), 1u);
  EXPECT_EQ(keyboard_focus(), "lesson/1/answer");
  screen.type("2");
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "lesson/1/check");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_TRUE(run().state(0).solved) << given_of(state(), 0).typed;
  next_by_keys();
  screen.key(Key::kTab);
  EXPECT_EQ(keyboard_focus(), "lesson/1/choice/1") << "the first question of the step";
}

TEST_F(LessonAnswers, AStepBeginsAtItsTopWhateverHadTheKeyboard) {
  ImGui::GetIO().DisplaySize = {1366, 640};
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += "A line of text.\n\n";
  open(kNumber + "## B\n" + lines + kNumber);
  for (const bool in_field : {false, true}) {
    if (in_field) {
      screen.type("1");  // the box has the keyboard
      ASSERT_EQ(given_of(state(), 0).typed, "1");
    } else {
      compat::leave_text_field();
      screen.frames(4);
    }
    next_by_keys();
    ASSERT_EQ(run().step_index(), 1u);
    ASSERT_TRUE(state().lesson.more_below) << "there would be nothing to scroll";
    EXPECT_FALSE(state().lesson.more_above) << in_field;
    screen.key(Key::kTab);
    screen.frames(8);
    screen.type(in_field ? "5" : "2");
    EXPECT_TRUE(given_of(state(), 0).typed.ends_with(in_field ? '5' : '2')) << "Tab goes there";
    EXPECT_TRUE(state().lesson.more_above) << "and shows it";
    screen.key(Key::kPageUp, true);
    screen.frames(4);
  }
}

TEST_F(LessonAnswers, PresentingTakesTheKeysFromABox) {
  open(kText);
  write("so");
  ASSERT_EQ(given_of(state(), 0).typed, "so");
  screen.key(Key::kF5);
  screen.frames(3);
  EXPECT_FALSE(compat::text_field_has_keys());
  screen.key(Key::kA);
  screen.type("a");
  screen.frames(2);
  EXPECT_TRUE(state().lesson.answers_shown);
  EXPECT_EQ(given_of(state(), 0).typed, "so");
}

TEST_F(LessonAnswers, ALessonStartsWithItsOwnView) {
  const HeadView before = state().heads.view = HeadView::kBeside;
  leave_for(destination::Source{"three-heads"});
  EXPECT_EQ(state().heads.view, HeadView::kFocused);
  state().heads.view = HeadView::kBeside;
  leave_for(destination::Source{"one-head-is-not-enough"});
  EXPECT_EQ(state().heads.view, HeadView::kFocused);
  leave_for(destination::OwnWork{});
  EXPECT_EQ(state().heads.view, before) << "that of the own work";
}

TEST_F(LessonAnswers, RepliesFollowTheLanguage) {
  leave_for(destination::Source{"cat-sat-by-hand"});
  screen.click("lesson/next");
  screen.click("lesson/1/answer");
  screen.type("1,4");
  screen.click("lesson/1/check");
  const auto right = right_answer(*run().questions()[1], live_now()).value();
  given_of(state(), 1) = right;
  screen.click("lesson/2/check");
  ASSERT_THAT(run().state(1).judgement->message, HasSubstr("Right: "));
  state().language = Language::kGerman;
  screen.frames(4);
  EXPECT_EQ(run().state(0).judgement->message, "Noch nicht.");
  EXPECT_THAT(run().state(1).judgement->message, HasSubstr("Richtig: "));
  state().language = Language::kEnglish;
  screen.frames(4);
  EXPECT_THAT(run().state(1).judgement->message, HasSubstr("Right: "));
  set_language(Language::kEnglish, {});
}

TEST_F(LessonAnswers, TheNameOfAWorksheetSaysWhatItIs) {
  leave_for(destination::Source{"cat-sat-by-hand"});
  screen.click("menu/File");
  screen.click("file.worksheet");
  EXPECT_EQ(state().dialog.path, "cat-sat-by-hand.pdf");
  screen.click("worksheet/answers");
  EXPECT_EQ(state().dialog.path, "cat-sat-by-hand-answers.pdf");
  screen.click("worksheet/seed");
  screen.type("7");
  screen.frames(2);
  EXPECT_EQ(state().dialog.path, "cat-sat-by-hand-7-answers.pdf");
  screen.click("worksheet/answers");
  EXPECT_EQ(state().dialog.path, "cat-sat-by-hand-7.pdf");
  screen.click("dialog/path");
  screen.key(Key::kA, true);
  screen.type(temporary / "mine.pdf");
  screen.click("worksheet/answers");
  EXPECT_EQ(state().dialog.path, temporary / "mine.pdf") << "the user's own name stays";
}

TEST_F(LessonAnswers, TheNameOfAWorksheetIsInTheLanguageOfTheWindow) {
  leave_for(destination::Source{"cat-sat-by-hand"});
  state().language = Language::kGerman;
  screen.frames(3);
  screen.click("menu/File");
  screen.click("file.worksheet");
  screen.click("worksheet/answers");
  EXPECT_THAT(state().dialog.path, testing::EndsWith("-Lösungen.pdf"));
  state().language = Language::kEnglish;
  screen.frames(3);
  set_language(Language::kEnglish, {});
}

}  // namespace
}  // namespace lab
