// A number being typed or a cell being dragged when something else is requested.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

class Pending : public ::testing::Test {
 protected:
  Pending() : screen(*open_document("refer")) {
    screen.workspace.set_recorder([this](const std::string& line) { record.push_back(line); });
  }

  void save_as_new_file() {
    screen.workspace.queue(intent::MarkSaved{path});
    screen.frames();
  }
  float cell() const { return screen.cell(kWQ1, 0, 0); }
  float saved_cell() const {
    const auto document = open_document(path);
    return document ? (*matrix_of(*document, kWQ1))(0, 0) : -1;
  }
  void start_drag() {
    const Rect rect = screen.place("matrix/W_Q/0/0");
    screen.move({rect.x + 20, rect.y + 10});
    screen.press();
    screen.move({rect.x + 20, rect.y - 40});
    ASSERT_NE(cell(), 0);
  }

  Screen screen;
  std::vector<std::string> record;
  TemporaryFolder folder;
  std::string path = folder / "session.json";
};

TEST_F(Pending, SavingCommitsANumberThatIsBeingTyped) {
  save_as_new_file();
  screen.click("matrix/W_Q/0/0");
  screen.type("2.5");
  screen.key(Key::kS, true);
  EXPECT_EQ(saved_cell(), 2.5f);
  EXPECT_EQ(record.size(), 1U) << "recorded";
  EXPECT_FALSE(screen.workspace.modified());
  screen.key(Key::kEscape);
  EXPECT_EQ(cell(), 2.5f) << "what was saved is not taken back";
  screen.key(Key::kZ, true);
  EXPECT_EQ(cell(), 0) << "it can be undone";
  EXPECT_TRUE(screen.workspace.modified());
}

TEST_F(Pending, SavingWaitsForAnInvalidNumber) {
  save_as_new_file();
  screen.click("matrix/W_Q/0/0");
  screen.type("nan");
  screen.key(Key::kS, true);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(screen.view.state().edit.typing, "nan");
  EXPECT_TRUE(screen.shows("message"));
}

TEST_F(Pending, LeavingCommitsANumberThatIsBeingTyped) {
  screen.click("matrix/W_Q/0/0");
  screen.type("2.5");
  screen.view.state().requests.ask(request::Leave{destination::Quit{}});
  screen.frames(2);
  EXPECT_EQ(record.size(), 1U);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kUnsaved);
}

TEST_F(Pending, UndoRevertsTheNumberFirst) {
  screen.click("matrix/W_Q/0/0");
  screen.type("2.5");
  screen.key(Key::kEnter);
  screen.type("7");
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.cell(kWQ1, 1, 0), 0);
  EXPECT_FALSE(screen.view.state().edit.typing);
  EXPECT_EQ(cell(), 2.5f) << "the edit before stays";
  screen.key(Key::kZ, true);
  EXPECT_EQ(cell(), 0);
}

TEST_F(Pending, UndoRevertsADragFirst) {
  screen.click("matrix/W_Q/0/1");
  screen.type("2.5");
  screen.key(Key::kEnter);
  start_drag();
  screen.key(Key::kZ, true);
  EXPECT_EQ(cell(), 0);
  screen.release();
  EXPECT_EQ(cell(), 0);
  EXPECT_EQ(screen.cell(kWQ1, 0, 1), 2.5f) << "the edit before stays";
}

TEST_F(Pending, NothingHappensDuringADrag) {
  save_as_new_file();
  start_drag();
  const float dragged = cell();
  screen.key(Key::kS, true);
  EXPECT_FALSE(std::filesystem::exists(path));
  screen.type("5");
  screen.key(Key::k2);
  screen.key(Key::kDelete);
  screen.key(Key::kDown);
  EXPECT_FALSE(screen.view.state().edit.typing);
  EXPECT_EQ(screen.view.state().head, 0);
  EXPECT_EQ(cell(), dragged);
  screen.release();
  EXPECT_EQ(cell(), dragged);
  EXPECT_EQ(record.size(), 1U);
}

TEST_F(Pending, ARejectedNumberStaysInItsCell) {
  for (const char* text : {"abc", "nan", "inf", "1e38", "1000001", "1e99"}) {
    screen.click("matrix/W_Q/0/0");
    screen.type(text);
    for (const Key key : {Key::kEnter, Key::kTab, Key::kDown}) {
      screen.key(key);
      EXPECT_EQ(screen.view.state().edit.typing, text);
      EXPECT_EQ(screen.view.state().edit.cursor, (Cell{0, 0})) << text;
      EXPECT_TRUE(screen.shows("message")) << text;
    }
    screen.key(Key::kEscape);
    EXPECT_EQ(cell(), 0);
    EXPECT_FALSE(screen.view.state().edit.typing);
  }
  EXPECT_TRUE(record.empty());
}

}  // namespace
}  // namespace lab
