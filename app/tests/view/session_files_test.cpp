// Files of a window: the view of a session, where it is saved, existing files, recent files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/session/view_memory.h"

namespace lab {
namespace {

using attention::Stage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SessionFiles : public testing::Test {
 protected:
  SessionFiles() : screen(*open_document("refer")) { screen.frames(2); }

  ViewState& state() { return screen.view.state(); }
  void open(const std::string& source) {
    state().requests.ask(request::Leave{destination::Source{source}});
    screen.frames(3);
  }
  void save_as(const std::string& path) {
    screen.key(Key::kS, true, true);
    screen.frames(2);
    screen.key(Key::kA, true);
    screen.type(path);
    screen.click("dialog/ok");
    screen.frames(2);
  }
  void change() {
    screen.workspace.queue(intent::Apply{SetTemperature{2}});
    screen.frames(2);
  }
  void change_back() {
    screen.workspace.queue(intent::Apply{SetTemperature{1}});
    screen.frames(2);
  }
  // Changes the file like another program, with a later time than any change before.
  static void change_elsewhere(const std::string& path) {
    attention::Config config;
    config.d_model = config.d_out = 2;
    ASSERT_TRUE(write_bytes(path, write_session(make_document("Theirs", config, 1))));
    const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(5);
    std::filesystem::last_write_time(path, later);
  }
  float temperature() const { return screen.document().problem.config.temperature; }

  // Changes the view like a user who studies the document.
  void look_around() {
    state().head = 2;
    state().heads.order = HeadOrder::kEntropy;
    state().heads.view = HeadView::kMean;
    state().heads.second = 0;
    state().heads.further = {1};
    state().tokens.lines = TokenLines::kAll;
    select_cell(state().selection, Stage::kScores, {7, 3});
    state().inspection.pins = {{"weights", 1, 2, 3}, {"output", 0, 4, 5}};
    state().inspection.regions[Stage::kWeights] = {0.25f, 0.5f, 0.5f, 0.25f};
    state().inspection.ranges.all.ends = RangeEnds::kFixed;
    state().inspection.ranges.ends[Stage::kScores] = {-3, 4};
    state().inspection.large = Stage::kWeights;
    state().weights_palette = Palette::kViridis;
    state().edit.matrix = MatrixId::kWO;
    state().edit.cursor = {3, 1};
    screen.frames(2);
  }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(SessionFiles, ASessionIsShownInItsSavedView) {
  look_around();
  const SessionView left = view_of(state());
  ASSERT_EQ(left.pins.size(), 2u);
  ASSERT_EQ(left.selected, (StageCell{Stage::kScores, 2, 7, 3}));
  save_as(folder / "mine.json");
  open("cat-sat");
  ASSERT_NE(view_of(state()), left);
  open(folder / "mine.json");
  EXPECT_EQ(view_of(state()), left);
}

TEST_F(SessionFiles, AnotherDocumentIsNotShownLikeTheOneBefore) {
  look_around();
  save_as(folder / "mine.json");
  open("refer");
  EXPECT_THAT(state().inspection.pins, IsEmpty());
  EXPECT_THAT(state().inspection.regions, IsEmpty());
  EXPECT_EQ(state().head, 0);
}

TEST_F(SessionFiles, AViewThatDoesNotFitItsDocumentIsAppliedAsFarAsItDoes) {
  SessionView view;
  view.head = 40;
  view.selected = {Stage::kWeights, 0, 999, 999};
  view.pins = {{Stage::kWeights, 50, 0, 0}, {Stage::kScores, 0, 999, 0}, {Stage::kScores, 1, 2, 3}};
  view.zoom = {{Stage::kWeights, {0.5f, 0.5f, 1e-6f, 1e-6f}}};
  view.large = Stage::kResidual;
  view.heads_order = "colour";
  view.edited = "gamma";
  view.edited_row = 900;
  const std::string path = folder.write("odd.json", write_session(*open_document("refer"), view));
  open(path);
  EXPECT_EQ(state().head, 2);
  EXPECT_EQ(selected_cell(state().selection), (Cell{10, 10}));
  ASSERT_EQ(state().inspection.pins.size(), 1u);
  EXPECT_EQ(state().inspection.pins[0].matrix, "scores");
  EXPECT_THAT(state().inspection.regions, IsEmpty());
  EXPECT_FALSE(state().inspection.large);
  EXPECT_EQ(state().heads.order, HeadOrder::kNumber);
  EXPECT_EQ(state().edit.matrix, MatrixId::kWQ);
}

TEST_F(SessionFiles, SaveAsWritesTensorsToo) {
  change();
  for (const char* name : {"problem.safetensors", "problem.npz"}) {
    save_as(folder / name);
    EXPECT_THAT(state().notice, HasSubstr("Wrote the tensors to"));
    const auto again = open_document(folder / name);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again->problem.parameters.W_O, *screen.document().problem.parameters.W_O);
    EXPECT_EQ(again->problem.config.temperature, 2);
  }
  EXPECT_TRUE(screen.workspace.modified()) << "the session itself is not saved by that";
  EXPECT_EQ(screen.workspace.path(), "");
}

TEST_F(SessionFiles, TensorsDoNotCountAsSavedWhenTheWindowCloses) {
  change();
  state().requests.ask(request::Leave{destination::Quit{}});
  screen.frames(2);
  screen.click("dialog/save");
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type(folder / "problem.npz");
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_THAT(state().dialog.problem, HasSubstr(".npz; choose another"));
  EXPECT_FALSE(state().quit);
}

TEST_F(SessionFiles, ANewerSessionIsNotOverwritten) {
  auto root = nlohmann::json::parse(write_session(*open_document("refer")));
  root["version"] = kSessionVersion + 1;
  const std::string path = folder.write("newer.json", root.dump());
  open(path);
  EXPECT_THAT(state().notice, HasSubstr("newer than this program"));
  change();
  screen.key(Key::kS, true);
  screen.frames(2);
  EXPECT_EQ(state().dialog.open, Dialog::kSaveAs);
  EXPECT_EQ(*read_bytes(path), root.dump());
}

TEST_F(SessionFiles, RevertReadsTheFileAgainOnceItIsAnswered) {
  save_as(folder / "mine.json");
  change();
  screen.workspace.queue(intent::Apply{SetScale{false}});
  screen.frames(2);
  state().dialog.open = Dialog::kNone;
  screen.click("menu/File");
  screen.frames(2);
  screen.click("file.revert");
  screen.frames(2);
  ASSERT_EQ(state().dialog.open, Dialog::kRevert);
  EXPECT_EQ(temperature(), 2);
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_EQ(temperature(), 1);
  EXPECT_FALSE(screen.workspace.modified());
  EXPECT_EQ(screen.workspace.path(), folder / "mine.json");
}

TEST_F(SessionFiles, AFileThatAnotherProgramChangedIsNotOverwrittenUnasked) {
  const std::string path = folder / "mine.json";
  save_as(path);
  change();
  change_elsewhere(path);
  screen.key(Key::kS, true);
  screen.frames(2);
  ASSERT_EQ(state().dialog.open, Dialog::kSaveAs);
  EXPECT_THAT(state().dialog.problem, HasSubstr("mine.json was changed by another program"));
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_THAT(state().dialog.problem, HasSubstr("Replace?"));
  EXPECT_EQ(open_document(path)->sentence, "Theirs");
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_EQ(open_document(path)->problem.config.temperature, 2);
  change_back();
  screen.key(Key::kS, true);
  screen.frames(2);
  EXPECT_EQ(state().dialog.open, Dialog::kNone) << "it is this window's again";
}

TEST_F(SessionFiles, RevertReadsAFileThatAnotherProgramChanged) {
  const std::string path = folder / "mine.json";
  save_as(path);
  open(path);
  change_elsewhere(path);
  screen.click("menu/File");
  screen.frames(2);
  screen.click("file.revert");
  screen.frames(3);
  EXPECT_EQ(screen.document().sentence, "Theirs");
}

TEST_F(SessionFiles, AnExampleOpensByItsTitleAndHasNoFileToSaveTo) {
  screen.key(Key::kO, true);
  screen.frames(2);
  screen.type("Cat sat");
  screen.click("dialog/ok");
  screen.frames(3);
  EXPECT_EQ(screen.document().title, "Cat sat");
  EXPECT_EQ(screen.workspace.path(), "");
  EXPECT_EQ(state().recent.newest, std::nullopt);
}

TEST_F(SessionFiles, ASuccessfulSaveClearsTheErrorOfAFailedOne) {
  save_as(folder / "mine.json");
  change();
  state().error = "cannot write";
  screen.key(Key::kS, true);
  screen.frames(2);
  EXPECT_EQ(state().error, "");
  EXPECT_THAT(state().notice, HasSubstr("Saved to"));
}

TEST_F(SessionFiles, RevertCanBeRefused) {
  save_as(folder / "mine.json");
  change();
  screen.click("menu/File");
  screen.frames(2);
  screen.click("file.revert");
  screen.frames(2);
  screen.click("dialog/cancel");
  screen.frames(2);
  EXPECT_EQ(temperature(), 2);
  EXPECT_TRUE(screen.workspace.modified());
}

TEST_F(SessionFiles, AnExampleRevertsToItsStartAndRedoRestoresTheChanges) {
  change();
  screen.click("menu/File");
  screen.frames(2);
  screen.click("file.revert");
  screen.frames(2);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
  EXPECT_EQ(temperature(), 1);
  EXPECT_FALSE(screen.workspace.modified());
  screen.key(Key::kZ, true, true);
  screen.frames(2);
  EXPECT_EQ(temperature(), 2);
}

TEST_F(SessionFiles, WhatIsOpenedOrSavedIsRemembered) {
  save_as(folder / "mine.json");
  EXPECT_EQ(state().recent.newest, folder / "mine.json");
  state().recent.newest.reset();
  open("cat-sat");
  EXPECT_FALSE(state().recent.newest) << "examples have a menu of their own";
  open(folder / "mine.json");
  EXPECT_EQ(state().recent.newest, folder / "mine.json");
}

TEST_F(SessionFiles, AFileOfTheListOpensByAClick) {
  save_as(folder / "mine.json");
  open("cat-sat");
  state().recent.files = {folder / "other.json", folder / "mine.json"};
  screen.key(Key::kO, true, true);
  screen.frames(2);
  screen.click("recent/1");
  screen.frames(3);
  EXPECT_EQ(screen.workspace.path(), folder / "mine.json");
  EXPECT_FALSE(screen.shows("recent/1"));
}

TEST_F(SessionFiles, AMissingFileIsReportedAndRemovedFromTheList) {
  state().recent.files = {folder / "gone.json"};
  screen.key(Key::kO, true, true);
  screen.frames(2);
  screen.click("recent/0");
  screen.frames(3);
  EXPECT_THAT(state().error, HasSubstr("gone.json"));
  EXPECT_EQ(state().recent.missing, folder / "gone.json");
}

TEST_F(SessionFiles, UnsavedChangesAreAskedAboutBeforeARecentFileIsOpened) {
  save_as(folder / "mine.json");
  state().recent.files = {folder / "mine.json"};
  change();
  screen.key(Key::kO, true, true);
  screen.frames(2);
  screen.click("recent/0");
  screen.frames(3);
  EXPECT_EQ(state().dialog.open, Dialog::kUnsaved);
}

}  // namespace
}  // namespace lab
