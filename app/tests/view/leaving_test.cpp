// What must not be lost when something else is opened, and after a crash in a lesson.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/lessons/lesson_progress.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_answers.h"
#include "app/view/session/recovery_actions.h"

namespace lab {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kLessonText =
    "---\ntitle: Counting\ngoal: G\nminutes: 5\nlevel: L\n---\n"
    "## One\n```lab\nopen cat-sat\n```\n"
    "```question number\nHow much?\nanswer: 10 + 1\nhint: Count.\n```\n"
    "## Two\n```question text\nWhy?\n```\n";

class NothingLost : public testing::Test {
 protected:
  NothingLost() { screen.frames(2); }

  ViewState& state() { return screen.view.state(); }
  void open(const std::string& source) {
    state().requests.ask(request::Leave{destination::Source{source}});
    screen.frames(4);
  }
  void open_lesson() { open(lesson); }
  void answer(const std::string& text) {
    screen.click("lesson/1/answer");
    screen.key(Key::kA, true);
    screen.type(text);
    screen.click("lesson/1/check");
  }
  void edit() {
    screen.workspace.queue(intent::Apply{SetTemperature{2}});
    screen.frames(2);
  }

  TemporaryFolder temporary;
  const std::string lesson = temporary.write("counting.md", kLessonText);
  const std::string broken = temporary.write("broken.json", "{\"type\":");
  Screen screen{*open_document("refer")};
};

TEST_F(NothingLost, AFileThatCannotBeOpenedEndsNoLessonAndAsksNothing) {
  edit();
  open_lesson();
  answer("10");
  for (const std::string& source : {broken, temporary / "missing.json"}) {
    open(source);
    EXPECT_NE(state().error, "");
    EXPECT_EQ(state().dialog.open, Dialog::kNone);
    EXPECT_TRUE(lesson_is_open(state()));
    state().error.clear();
  }
}

TEST_F(NothingLost, UnsavedChangesAreOnlyAskedAboutOnceTheFileIsRead) {
  edit();
  open(broken);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
  EXPECT_THAT(state().error, HasSubstr("broken.json"));
  open("cat-sat");
  ASSERT_EQ(state().dialog.open, Dialog::kUnsaved);
  EXPECT_NE(screen.document().title, open_document("cat-sat")->title);
  screen.click("dialog/discard");
  EXPECT_EQ(screen.document().title, open_document("cat-sat")->title);
}

TEST_F(NothingLost, WhatWasReadIsShownEvenIfTheFileIsGoneWhenTheQuestionIsAnswered) {
  const std::string path = temporary / "there.json";
  ASSERT_TRUE(write_bytes(path, read_bytes(examples()[1].path).value()));
  edit();
  open(path);
  std::filesystem::remove(path);
  screen.click("dialog/discard");
  EXPECT_EQ(screen.document().title, open_document(examples()[1].name)->title);
}

TEST_F(NothingLost, AnswersAreAskedAboutBeforeAnotherLessonIsOpened) {
  open_lesson();
  answer("10");
  open("softmax");
  ASSERT_EQ(state().dialog.open, Dialog::kLeaveLesson);
  screen.click("dialog/stay");
  EXPECT_EQ(state().lesson.path, lesson);
  open("softmax");
  screen.click("dialog/leave");
  screen.frames(2);
  ASSERT_TRUE(lesson_is_open(state()));
  EXPECT_NE(state().lesson.path, lesson);
}

TEST_F(NothingLost, AStepBegunAgainForgetsItsAnswersOnly) {
  open_lesson();
  answer("11");
  edit();
  screen.click("lesson/next");
  screen.click("lesson/1/answer");
  screen.type("because");
  screen.key(Key::kEscape);
  screen.click("lesson/back");
  screen.click("menu/lesson");
  screen.click("menu/lesson/restart");
  screen.frames(2);
  screen.click("dialog/ok");
  EXPECT_EQ(screen.document().problem.config.temperature, 1.0f);
  EXPECT_EQ(given_of(state(), 0).typed, "");
  EXPECT_FALSE(state().lesson.run->state(0).solved);
  screen.click("lesson/next");
  EXPECT_EQ(given_of(state(), 0).typed, "because");
}

TEST_F(NothingLost, SavedAnswersSayWhichLessonAndOnWishWhose) {
  open_lesson();
  answer("11");
  screen.click("menu/lesson");
  screen.click("menu/lesson/save");
  screen.key(Key::kA, true);
  screen.type(temporary / "answers.csv");
  screen.click("answers/student");
  screen.type("Ada");
  screen.click("dialog/ok");
  screen.frames(2);
  const std::string csv = read_bytes(temporary / "answers.csv").value();
  EXPECT_THAT(csv, StartsWith("\xEF\xBB\xBFlesson,student,time,"));
  EXPECT_THAT(csv, HasSubstr("\r\nCounting,Ada,"));
}

TEST_F(NothingLost, TheProposedNameOfTheAnswersSaysWhoseTheyAre) {
  open_lesson();
  answer("11");
  DialogState& dialog = screen.view.state().dialog;
  dialog.answers_folder = temporary / "";
  screen.click("menu/lesson");
  screen.click("menu/lesson/save");
  const std::string stem = std::filesystem::path(screen.view.state().lesson.path).stem().string();
  EXPECT_EQ(dialog.path, temporary / (stem + "-answers.csv"));
  screen.click("answers/student");
  screen.type(" Ada  M/Lovelace ");
  screen.frames(2);
  EXPECT_EQ(dialog.path, temporary / (stem + "-answers-Ada-M-Lovelace.csv"));
  screen.click("dialog/path");
  screen.key(Key::kA, true);
  screen.type(temporary / "own.csv");
  screen.click("answers/student");
  screen.type("!");
  screen.frames(2);
  EXPECT_EQ(dialog.path, temporary / "own.csv") << "a name of the user's own stays";
}

TEST_F(NothingLost, TheFolderOfTheAnswersIsTheLastOne) {
  open_lesson();
  answer("11");
  std::filesystem::create_directory(temporary / "class");
  const auto open_dialog = [&] {
    screen.click("menu/lesson");
    screen.click("menu/lesson/save");
  };
  open_dialog();
  EXPECT_TRUE(screen.shows("answers/folder")) << "the name alone does not tell it";
  screen.key(Key::kA, true);
  screen.type(temporary / "class/answers.csv");
  screen.click("dialog/ok");
  screen.frames(2);
  open_dialog();
  EXPECT_TRUE(screen.view.state().dialog.path.starts_with(temporary / "class/"))
      << screen.view.state().dialog.path;
}

TEST_F(NothingLost, TheDesktopsDialogLeavesRoomForTheStudentsName) {
  screen.desktop.has_dialog = true;
  open_lesson();
  answer("11");
  screen.click("menu/lesson");
  screen.click("menu/lesson/save");
  screen.frames(2);
  EXPECT_TRUE(screen.desktop.questions.empty());
  EXPECT_TRUE(screen.shows("answers/student"));
  EXPECT_TRUE(screen.shows("dialog/browse"));
}

class LostLesson : public NothingLost {
 protected:
  // What a window leaves behind that was killed in the second step of the lesson.
  std::string leave(bool edits = false) {
    open_lesson();
    answer("10");
    screen.click("lesson/next");
    given_of(state(), 0).typed = "because";
    lessons::LessonProgress progress =
        state().lesson.run->progress(screen.document(), state().lesson.given);
    progress.path = lesson;
    JournalLocation place = *JournalLocation::take_new(folder);
    EXPECT_TRUE(write_bytes(place.answers(), lessons::write_progress(progress)));
    if (edits) {
      JournalLines lines;
      std::string text = lines.begin({"t", "", 0, {}}, *open_document("refer"));
      text += lines.edit({to_json_line(SetTemperature{3})});
      EXPECT_TRUE(write_bytes(place.journal(), text));
    }
    screen.click("lesson/leave");
    screen.click("dialog/leave");
    screen.frames(2);
    EXPECT_FALSE(lesson_is_open(state()));
    return place.answers();
  }
  // The next start.
  void start() {
    state().recovery.folder = folder;
    screen.frames(3);
    ASSERT_EQ(state().dialog.open, Dialog::kRecovery);
  }

  const std::string folder = temporary / "journal";
};

TEST_F(LostLesson, GoesOnWhereItEndedWithItsAnswers) {
  leave();
  start();
  EXPECT_THAT(about_lost_answers(*state().recovery.offers.front(), 0),
              StartsWith("2 answers are not saved"));
  screen.click("dialog/restore");
  screen.frames(3);
  ASSERT_TRUE(lesson_is_open(state()));
  EXPECT_EQ(state().lesson.run->step_index(), 1u);
  EXPECT_EQ(given_of(state(), 0).typed, "because");
  EXPECT_TRUE(state().lesson.unsaved);
  EXPECT_NE(state().notice, "") << "it says what happened";
  screen.click("lesson/back");
  EXPECT_EQ(given_of(state(), 0).typed, "10");
  EXPECT_EQ(state().lesson.run->state(0).judgement->verdict, Verdict::kWrong);
}

TEST_F(LostLesson, AndTheOwnWorkAreBothRestored) {
  leave(true);
  start();
  screen.click("dialog/restore");
  screen.frames(4);
  ASSERT_TRUE(lesson_is_open(state()));
  EXPECT_EQ(screen.workspace.own().history.document().problem.config.temperature, 3.0f);
  EXPECT_TRUE(screen.workspace.own().has_unsaved_steps());
}

TEST_F(LostLesson, ThatHasOtherQuestionsNowIsToldAndItsAnswersAreKept) {
  const std::string path = leave();
  temporary.write("counting.md", kLessonText + "```question text\nAnd?\n```\n");
  start();
  screen.click("dialog/restore");
  screen.frames(3);
  EXPECT_FALSE(lesson_is_open(state()));
  EXPECT_THAT(state().error, HasSubstr("do not fit the lesson"));
  EXPECT_TRUE(std::filesystem::exists(path + ".damaged"));
}

TEST_F(LostLesson, IsOfferedInAnotherLessonWhoseAnswersAreAskedAboutFirst) {
  leave();
  open("softmax");
  state().lesson.unsaved = true;
  start();
  screen.click("dialog/restore");
  screen.frames(3);
  ASSERT_EQ(state().dialog.open, Dialog::kLeaveLesson);
  screen.click("dialog/leave");
  screen.frames(3);
  EXPECT_EQ(state().lesson.path, lesson);
}

TEST_F(LostLesson, IsGoneOnceItIsDiscarded) {
  const std::string path = leave();
  start();
  screen.click("dialog/discard");
  EXPECT_TRUE(std::filesystem::exists(path)) << "it is asked about once more";
  screen.click("dialog/discard");
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(lesson_is_open(state()));
}

}  // namespace
}  // namespace lab
