// What the window offers after a crash, and the effect of each answer.
#include "app/view/session/recovery_actions.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "app/base/wording.h"
#include "app/files/io/bytes.h"
#include "app/files/model/model_folder.h"
#include "app/files/open.h"
#include "app/files/opened_model.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/lesson/lesson_actions.h"

namespace lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr MatrixRef kWQ{MatrixId::kWQ, 0};

class Recovery : public testing::Test {
 protected:
  Recovery() : screen(*open_document("refer")) {}

  RecoveryState& recovery() { return screen.view.state().recovery; }
  Dialog dialog() { return screen.view.state().dialog.open; }

  // Creates the journal of a window that crashed after two edits; the newest is offered first.
  std::string leave(const std::string& title, const std::string& path = {}) const {
    JournalLocation place = *JournalLocation::take_new(folder);
    Document base = *open_document("refer");
    base.title = title;
    JournalLines lines;
    std::string text = lines.begin({title, path, 0, last_change(path)}, base);
    text += lines.edit({to_json_line(SetCell{kWQ, 0, 0, 7})});
    SessionView view;
    view.pins = {{attention::Stage::kWeights, 1, 2, 3}};
    text += lines.view(view);
    text += lines.edit({to_json_line(SetCell{kWQ, 0, 1, 8})});
    EXPECT_TRUE(write_bytes(place.journal(), text));
    return place.journal();
  }
  // The next start.
  void start() {
    recovery().folder = folder;
    screen.frames(3);
  }
  void damage(const std::string& path, std::size_t from_end) const {
    std::string bytes = *read_bytes(path);
    bytes[bytes.size() - from_end] ^= 1;
    EXPECT_TRUE(write_bytes(path, bytes));
  }
  bool edit_is_there() const { return screen.cell(kWQ, 0, 1) == 8; }

  TemporaryFolder temporary;
  const std::string folder = temporary / "journal";
  Screen screen;
};

TEST_F(Recovery, AsksNothingWhenNothingWasLost) {
  start();
  EXPECT_EQ(dialog(), Dialog::kNone);
}

TEST_F(Recovery, AsksNothingWhereTheCrashCutTheOnlyEdit) {
  JournalLocation place = *JournalLocation::take_new(folder);
  JournalLines lines;
  std::string text = lines.begin({"t", "", 0, {}}, *open_document("refer"));
  text += lines.edit({to_json_line(SetCell{kWQ, 0, 0, 7})});
  ASSERT_TRUE(write_bytes(place.journal(), text.substr(0, text.size() - 9)));
  const std::string path = place.journal();
  { const JournalLocation dead = std::move(place); }
  start();
  EXPECT_EQ(dialog(), Dialog::kNone);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Recovery, EnterRestoresWithEveryEditAsAStep) {
  const std::string file = temporary.write("mine.json", "…");
  leave("lost", file);
  start();
  ASSERT_EQ(dialog(), Dialog::kRecovery);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog(), Dialog::kNone);
  EXPECT_EQ(screen.document().title, "lost");
  EXPECT_TRUE(edit_is_there());
  EXPECT_TRUE(screen.workspace.modified());
  EXPECT_EQ(screen.workspace.path(), file);
  EXPECT_EQ(screen.view.state().inspection.pins,
            (std::vector<attention::CellRef>{{"weights", 1, 2, 3}}));
  EXPECT_THAT(screen.view.state().notice, StartsWith("Restored; it is not saved yet"));
  screen.key(Key::kZ, true);
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(screen.cell(kWQ, 0, 0), (*matrix_of(*open_document("refer"), kWQ))(0, 0));
  EXPECT_FALSE(screen.workspace.modified()) << "this is what the file holds";
}

TEST_F(Recovery, TheJournalStaysUntilAnotherHoldsWhatWasRestored) {
  const std::string path = leave("lost");
  start();
  screen.click("dialog/restore");
  EXPECT_TRUE(std::filesystem::exists(path));
  ASSERT_TRUE(recovery().restored);
  EXPECT_LT(recovery().restored->opened_before, screen.workspace.opened());
  EXPECT_TRUE(left_journals(folder).empty()) << "it is held";
  end_recovery(*recovery().restored->work);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Recovery, DiscardRemovesItAndGoesOnToTheNext) {
  const std::string first = leave("first"), second = leave("second");
  std::filesystem::last_write_time(
      first, std::filesystem::last_write_time(second) + std::chrono::seconds(1));
  start();
  ASSERT_EQ(recovery().offers.size(), 2u);
  EXPECT_EQ(recovery().offers.front()->journal.head.title, "first");
  screen.click("dialog/discard");
  EXPECT_TRUE(std::filesystem::exists(first)) << "it is asked about once more";
  EXPECT_EQ(recovery().offers.size(), 2u);
  screen.click("dialog/discard");
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_TRUE(std::filesystem::exists(second));
  EXPECT_EQ(dialog(), Dialog::kRecovery);
  screen.click("dialog/restore");
  EXPECT_EQ(screen.document().title, "second");
}

TEST_F(Recovery, ADoubleClickOnDiscardStillAsks) {
  const std::string path = leave("lost");
  start();
  const Rect button = screen.place("dialog/discard");
  screen.move({button.x + button.w / 2, button.y + button.h / 2});
  for (int clicks = 0; clicks < 2; ++clicks) {
    screen.press();
    screen.release();
  }
  EXPECT_TRUE(std::filesystem::exists(path)) << "it is asked about once more";
  screen.frames(3, 0.2f);
  screen.click("dialog/discard");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Recovery, EscapeAndLaterLeaveItForTheNextStart) {
  const std::string first = leave("first"), second = leave("second");
  start();
  screen.key(Key::kEscape);
  screen.frames(3);
  ASSERT_EQ(dialog(), Dialog::kRecovery) << "about the other one";
  screen.click("dialog/later");
  EXPECT_EQ(dialog(), Dialog::kNone);
  EXPECT_FALSE(edit_is_there());
  EXPECT_EQ(left_journals(folder).size(), 2u);
}

TEST_F(Recovery, WhatWasNotRestoredIsOfferedAtTheNextStart) {
  leave("one");
  leave("other");
  start();
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_THAT(screen.view.state().notice, HasSubstr("1 more"));
  EXPECT_EQ(dialog(), Dialog::kNone);
  EXPECT_EQ(left_journals(folder).size(), 1u);
}

TEST_F(Recovery, EnterAloneNeverDiscards) {
  const std::string first = leave("first"), second = leave("second");
  start();
  screen.click("dialog/discard");
  screen.click("dialog/later");
  ASSERT_EQ(dialog(), Dialog::kRecovery) << "about the other one";
  screen.click("dialog/discard");
  EXPECT_TRUE(std::filesystem::exists(first) && std::filesystem::exists(second))
      << "the question about one is not an answer about the other";
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_TRUE(edit_is_there()) << "it was restored";
}

TEST_F(Recovery, TabAndArrowsChooseTheAnswer) {
  const std::string path = leave("lost");
  start();
  screen.key(Key::kTab);
  screen.key(Key::kRight);
  screen.key(Key::kLeft);
  screen.key(Key::kEnter);
  EXPECT_TRUE(std::filesystem::exists(path)) << "it is asked about once more";
  screen.key(Key::kTab);
  screen.key(Key::kEnter);
  EXPECT_FALSE(std::filesystem::exists(path)) << "Discard is the second";
}

TEST_F(Recovery, ChangesInThisWindowAreAskedAboutFirst) {
  leave("lost");
  start();
  screen.workspace.queue(intent::Apply{SetTemperature{2}});
  screen.frames(2);
  screen.click("dialog/restore");
  ASSERT_EQ(dialog(), Dialog::kUnsaved);
  EXPECT_FALSE(edit_is_there());
  screen.click("dialog/discard");
  EXPECT_TRUE(edit_is_there());
}

TEST_F(Recovery, WorkOnAModelThatIsGoneIsKeptUntilTheModelIsBack) {
  const std::string model = temporary / "model", detached = temporary / "detached";
  std::filesystem::copy(files::model_folder("induction").value(), model);
  std::string journal;
  {
    JournalLocation place = *JournalLocation::take_new(folder);
    JournalLines lines;
    std::string text =
        lines.begin({"lost", "", 0, {}}, open_model_source(model, "abcabc").value().document);
    text += lines.edit({to_json_line(SetHeadMix{.head = 1, .mute = true})});
    journal = place.journal();
    EXPECT_TRUE(write_bytes(journal, text));
  }
  std::filesystem::rename(model, detached);
  start();
  screen.click("dialog/restore");
  screen.frames(4);
  EXPECT_THAT(screen.view.state().error, HasSubstr("It is kept"));
  EXPECT_TRUE(std::filesystem::exists(journal));
  std::filesystem::rename(detached, model);
  start();
  screen.click("dialog/restore");
  screen.frames(4);
  ASSERT_TRUE(screen.document().layer.model);
  EXPECT_EQ(screen.document().layer.model->interventions.gains.size(), 1U);
}

TEST_F(Recovery, ADamagedJournalIsReportedAndMovedAway) {
  const std::string path = leave("lost");
  damage(path, std::filesystem::file_size(path) - 20);
  start();
  EXPECT_EQ(dialog(), Dialog::kNone);
  EXPECT_THAT(screen.view.state().error, HasSubstr("line 1 is not as it was written"));
  EXPECT_THAT(screen.view.state().error, HasSubstr(path + ".damaged"));
  EXPECT_TRUE(std::filesystem::exists(path + ".damaged"));
}

TEST_F(Recovery, WhatIsBeforeTheDamageIsRestored) {
  damage(leave("lost"), 10);
  start();
  ASSERT_EQ(dialog(), Dialog::kRecovery);
  EXPECT_THAT(about_lost_work(*recovery().offers.front(), 0),
              ElementsAre(StartsWith("1 edit is not saved"), HasSubstr("damaged after that")));
  screen.click("dialog/restore");
  EXPECT_EQ(screen.cell(kWQ, 0, 0), 7);
  EXPECT_FALSE(edit_is_there());
}

TEST_F(Recovery, SaysWhenTheFileWasChangedSince) {
  const std::string file = temporary.write("mine.json", "…");
  leave("lost", file);
  std::filesystem::last_write_time(
      file, std::filesystem::last_write_time(file) + std::chrono::seconds(5));
  start();
  const LostWork& work = *recovery().offers.front();
  EXPECT_THAT(about_lost_work(work, 0),
              ElementsAre(StartsWith("2 edits are not saved"), StartsWith("The file has changed")));
  std::filesystem::remove(file);
  EXPECT_THAT(about_lost_work(work, 0)[1], HasSubstr("no longer exists"));
  screen.click("dialog/restore");
  screen.key(Key::kZ, true);
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_TRUE(screen.workspace.modified()) << "no file holds this";
}

TEST_F(Recovery, SaysThatRestoringLeavesTheLesson) {
  leave("lost");
  screen.view.state().requests.ask(request::Leave{destination::Source{"query-key-value"}});
  screen.frames(4);
  ASSERT_TRUE(lesson_is_open(screen.view.state())) << screen.view.state().error;
  const std::string lesson = screen.view.state().lesson.run->lesson().title;
  start();
  ASSERT_EQ(dialog(), Dialog::kRecovery);
  EXPECT_TRUE(screen.shows("recovery/lesson")) << "said before";
  screen.click("dialog/restore");
  screen.frames(4);
  EXPECT_FALSE(lesson_is_open(screen.view.state()));
  EXPECT_TRUE(edit_is_there());
  EXPECT_THAT(screen.view.state().notice, HasSubstr("The lesson “" + lesson + "” was left"))
      << "and after";
}

TEST_F(Recovery, SaysNothingOfALessonWhereNoneIsOpen) {
  leave("lost");
  start();
  EXPECT_FALSE(screen.shows("recovery/lesson"));
  screen.click("dialog/restore");
  EXPECT_THAT(screen.view.state().notice, testing::Not(HasSubstr("lesson")));
}

TEST(TimeInWords, IsThatOfAClockOnTheWall) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  constexpr std::time_t kHour = 3600, kDay = 24 * kHour;
  constexpr std::time_t kNow = 1'772'000'000;  // 25 February 2026, 6:13:20
  EXPECT_EQ(time_in_words(kNow, kNow), "today at 6:13");
  EXPECT_EQ(time_in_words(kNow - 6 * kHour - 500, kNow), "today at 0:05");
  EXPECT_EQ(time_in_words(kNow - 7 * kHour, kNow), "yesterday at 23:13");
  EXPECT_EQ(time_in_words(kNow - 2 * kDay, kNow), "on 23 February at 6:13");
  EXPECT_EQ(time_in_words(kNow - 60 * kDay, kNow), "on 27 December 2025 at 6:13");
  constexpr std::time_t kFirstDay = kNow - 24 * kDay;  // 1 February
  EXPECT_EQ(time_in_words(kFirstDay - kDay, kFirstDay), "yesterday at 6:13");
}

}  // namespace
}  // namespace lab
