// Ctrl+C: the picture of the focused card, or the selected cells.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/actions/actions.h"
#include "app/view/editor/block_text.h"

namespace lab {
namespace {

using attention::Stage;

std::string copied;

class Copying : public ::testing::Test {
 protected:
  Copying() : screen(*open_document("refer")) {
    compat::set_clipboard([](void*) { return copied.c_str(); },
                          [](void*, const char* text) { copied = text; }, nullptr);
    copied.clear();
  }
  void copy() { screen.key(Key::kC, true); }
  std::string picture() { return screen.desktop.picture.value_or(""); }
  const std::string& notice() { return screen.view.state().notice; }
  // The picture that Ctrl+E saves.
  std::string exported() {
    const std::string path = testing::TempDir() + "/copying-" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() + ".png";
    std::filesystem::remove(path);
    screen.key(Key::kE, true);
    screen.frames(2);
    screen.key(Key::kA, true);
    screen.type(path);
    screen.click("dialog/ok");
    screen.key(Key::kEscape);
    return read_bytes(path).value_or("");
  }
  void select_block_of_map() {
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, true);
    const Rect a = screen.place("stage/scores/1/2"), b = screen.place("stage/scores/2/4");
    screen.move({a.x + a.w / 2, a.y + a.h / 2});
    screen.press();
    screen.move({b.x + b.w / 2, b.y + b.h / 2});
    screen.release();
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, false);
    screen.frames();
  }

  Screen screen;
};

TEST_F(Copying, TheFocusedCardIsCopiedAsTheExportDrawsIt) {
  screen.click("stage/scores/3/1");
  copy();
  EXPECT_EQ(picture().substr(1, 3), "PNG");
  EXPECT_EQ(notice(), "Copied the picture of Scores, head 1");
  const std::string png = picture();
  // But for the session, which only a file has: its chunk and what follows, the pixels.
  const std::string file = exported();
  EXPECT_TRUE(file.ends_with(png.substr(png.find("IDAT"))));
  EXPECT_EQ(png.find("attention-lab-session"), std::string::npos);
  EXPECT_NE(file.find("attention-lab-session"), std::string::npos);
  EXPECT_EQ(copied, "");
}

TEST_F(Copying, AnotherCardAndHeadAreAnotherPicture) {
  screen.click("stage/scores/3/1");
  copy();
  const std::string scores = picture();
  screen.click("head/2");
  copy();
  const std::string second_head = picture();
  EXPECT_EQ(notice(), "Copied the picture of Scores, head 2");
  screen.click("stage/output/3/1");
  copy();
  EXPECT_EQ(notice(), "Copied the picture of Output");
  EXPECT_FALSE(scores == second_head);
  EXPECT_FALSE(second_head == picture());
}

TEST_F(Copying, TheExportDialogsOtherChoicesDoNotMatter) {
  screen.click("stage/scores/3/1");
  copy();
  const std::string before = picture();
  screen.key(Key::kE, true);
  screen.frames(2);
  screen.click("dialog/what");
  screen.click("dialog/what/3");
  screen.click("dialog/cancel");
  screen.click("stage/scores/3/1");
  copy();
  EXPECT_TRUE(picture() == before);
}

TEST_F(Copying, ACardsMenuCopiesThatCard) {
  screen.click("menu/K");
  screen.click("menu/K/copy");
  EXPECT_EQ(notice(), "Copied the picture of K, head 1");
  EXPECT_EQ(picture().substr(1, 3), "PNG");
}

TEST_F(Copying, CellsOfTheGridAreText) {
  screen.click("matrix/W_Q/0/1");
  copy();
  EXPECT_EQ(copied, block_text(attention::Matrix::Constant(1, 1, screen.cell({}, 0, 1))));
  EXPECT_EQ(picture(), "");
}

TEST_F(Copying, ABlockOfAMapIsText) {
  select_block_of_map();
  ASSERT_TRUE(screen.view.state().inspection.block);
  copy();
  const auto& scores = *screen.workspace.trace().heads[0].scores;
  EXPECT_EQ(copied, block_text(scores.block(1, 2, 2, 3)));
  EXPECT_EQ(notice(), "2 × 3 numbers copied");
  EXPECT_EQ(picture(), "");
  screen.key(Key::kEscape);
  copy();
  EXPECT_NE(picture(), "") << "without a block it is the picture again";
}

TEST_F(Copying, TheSentenceKeepsItsOwnKey) {
  screen.click("sentence");
  screen.key(Key::kA, true);
  copy();
  EXPECT_EQ(copied, screen.document().sentence);
  EXPECT_EQ(picture(), "");
}

TEST_F(Copying, OneKeyNeverMeansTwoThings) {
  for (const char* place : {"stage/scores/3/1", "matrix/W_Q/0/1", "sentence"}) {
    screen.click(place);
    copied.clear();
    screen.desktop.picture.reset();
    copy();
    EXPECT_NE(copied.empty(), picture().empty()) << place;
  }
}

TEST_F(Copying, ADesktopWithoutPicturesSaysSo) {
  screen.desktop.refusal = "not here";
  screen.click("stage/scores/3/1");
  copy();
  EXPECT_EQ(screen.view.state().error, "not here");
  EXPECT_EQ(notice(), "");
}

}  // namespace
}  // namespace lab
