// Blocks of cells in the Edit card: selecting, filling, dragging, and exchange with spreadsheets.
#include <gmock/gmock.h>

#include <cmath>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/editor/block_text.h"

namespace lab {
namespace {

using attention::Matrix;
using ::testing::HasSubstr;

std::string clipboard;

// The example in the window, with W_Q in the grid and a clipboard of the test.
class Blocks : public ::testing::Test {
 protected:
  Blocks() : screen(*open_document("refer")) {
    compat::set_clipboard([](void*) { return clipboard.c_str(); },
                          [](void*, const char* text) { clipboard = text; }, nullptr);
    clipboard.clear();
  }
  const Matrix& numbers() const { return *matrix_of(screen.document(), kWQ1); }
  const std::string& error() { return screen.view.state().error; }
  CellBlock selected() { return selected_block(screen.view.state().edit); }
  std::string step() const { return screen.workspace.history().undo_label(); }
  // Selects rows 1 and 2 of columns 0 to 2.
  void select_two_by_three() {
    screen.click("matrix/W_Q/1/0");
    shift_click("matrix/W_Q/2/2");
  }
  void shift_click(const std::string& name) {
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, true);
    screen.click(name);
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, false);
    screen.frames();
  }
  void paste(const std::string& text) {
    clipboard = text;
    screen.key(Key::kV, true);
  }

  Screen screen;
};

TEST_F(Blocks, AreSelectedWithShift) {
  screen.click("matrix/W_Q/2/1");
  screen.key(Key::kRight, false, true);
  screen.key(Key::kUp, false, true);
  EXPECT_EQ(selected(), (CellBlock{1, 1, 2, 2}));
  screen.key(Key::kLeft);
  EXPECT_TRUE(selected().is_cell()) << "a plain arrow lets the block go";
  select_two_by_three();
  EXPECT_EQ(selected(), (CellBlock{1, 0, 2, 3}));
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "selecting changes nothing";
}

TEST_F(Blocks, AreSelectedByLabelsAndAll) {
  const Rect rows = screen.place("matrix/W_Q/rows"), cols = screen.place("matrix/W_Q/cols");
  const Rect third = screen.place("matrix/W_Q/2/1"), fourth = screen.place("matrix/W_Q/3/1");
  screen.move({rows.x + 5, third.y + 5});
  screen.press();
  screen.move({rows.x + 5, fourth.y + 5});
  screen.release();
  EXPECT_EQ(selected(), (CellBlock{2, 0, 2, 4}));
  screen.move({third.x + 5, cols.y + 5});
  screen.press();
  screen.release();
  EXPECT_EQ(selected(), (CellBlock{0, 1, 8, 1}));
  screen.key(Key::kA, true);
  EXPECT_EQ(selected(), (CellBlock{0, 0, 8, 4}));
}

TEST_F(Blocks, DeleteMakesThemZeroInOneStep) {
  const Matrix before = numbers();
  select_two_by_three();
  screen.key(Key::kDelete);
  Matrix expected = before;
  expected.block(1, 0, 2, 3).setZero();
  EXPECT_EQ(numbers(), expected);
  EXPECT_TRUE(step().starts_with("Edit 2 × 3 cells of W_Q of head 1, from row ")) << step();
  screen.key(Key::kZ, true);
  EXPECT_EQ(numbers(), before);
}

TEST_F(Blocks, CtrlEnterFillsThemWithTheTypedNumber) {
  select_two_by_three();
  screen.type("1.5");
  screen.key(Key::kEnter, true);
  EXPECT_TRUE((numbers().block(1, 0, 2, 3).array() == 1.5f).all());
  screen.key(Key::kZ, true);
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "one step";
}

TEST_F(Blocks, ADragChangesAllOfTheirNumbersEqually) {
  const Matrix before = numbers();
  select_two_by_three();
  screen.drag("matrix/W_Q/2/1", {0, -50});
  Matrix expected = before;
  expected.block(1, 0, 2, 3).array() += 0.5f;
  EXPECT_TRUE(numbers().isApprox(expected));
  EXPECT_EQ(selected(), (CellBlock{1, 0, 2, 3})) << "it stays selected";
  screen.key(Key::kZ, true);
  EXPECT_EQ(numbers(), before);
  screen.click("matrix/W_Q/2/1");
  EXPECT_TRUE(selected().is_cell()) << "a click inside lets it go";
}

TEST_F(Blocks, ComeBackFromTheClipboardBitForBit) {
  screen.click("fill/xavier");
  const Matrix before = numbers();
  select_two_by_three();
  screen.key(Key::kC, true);
  const Matrix block = before.block(1, 0, 2, 3);
  EXPECT_EQ(clipboard, block_text(block));
  screen.click("matrix/W_Q/5/1");
  screen.key(Key::kV, true);
  EXPECT_EQ(numbers().block(5, 1, 2, 3), block);
  EXPECT_EQ(selected(), (CellBlock{5, 1, 2, 3}));
  EXPECT_EQ(step(), "Paste 2 × 3 into W_Q, head 1");
  screen.key(Key::kX, true);
  EXPECT_TRUE(numbers().block(5, 1, 2, 3).isZero(0));
  EXPECT_EQ(step(), "Cut from W_Q, head 1");
}

TEST_F(Blocks, OneNumberFillsThemAll) {
  select_two_by_three();
  paste("−2,5\r\n");
  EXPECT_TRUE((numbers().block(1, 0, 2, 3).array() == -2.5f).all());
}

TEST_F(Blocks, RepeatASmallerOneThatFitsAWholeNumberOfTimes) {
  screen.click("matrix/W_Q/2/0");
  shift_click("matrix/W_Q/5/3");
  paste("1\t2\n3\t4");
  EXPECT_EQ(numbers().block(2, 0, 4, 4), (Matrix{{1, 2}, {3, 4}}.replicate(2, 2)));
  EXPECT_EQ(step(), "Paste 4 × 4 into W_Q, head 1");
  screen.key(Key::kZ, true);
  const Matrix before = numbers();
  select_two_by_three();
  paste("7\t8\t9");
  EXPECT_EQ(numbers().block(1, 0, 2, 3), (Matrix{{7, 8, 9}, {7, 8, 9}}));
  screen.key(Key::kZ, true);
  select_two_by_three();
  paste("7\t8");
  EXPECT_EQ(numbers().block(1, 0, 1, 2), (Matrix{{7, 8}}));
  EXPECT_EQ(numbers().row(2), before.row(2)) << "3 columns are no multiple of 2: pasted once";
}

TEST_F(Blocks, AreTraversedByEnterAndTab) {
  const auto at = [&] { return screen.view.state().edit.cursor; };
  select_two_by_three();
  EXPECT_EQ(at(), (Cell{2, 2}));
  screen.key(Key::kTab);
  EXPECT_EQ(at(), (Cell{1, 0})) << "from the last cell to the first";
  screen.key(Key::kTab);
  EXPECT_EQ(at(), (Cell{1, 1}));
  screen.key(Key::kEnter);
  EXPECT_EQ(at(), (Cell{2, 1}));
  screen.key(Key::kEnter);
  EXPECT_EQ(at(), (Cell{1, 2})) << "on at the top of the next column";
  screen.key(Key::kEnter, false, true);
  EXPECT_EQ(at(), (Cell{2, 1}));
  screen.key(Key::kTab, false, true);
  screen.key(Key::kTab, false, true);
  EXPECT_EQ(at(), (Cell{1, 2}));
  EXPECT_EQ(selected(), (CellBlock{1, 0, 2, 3})) << "it stays selected";
  EXPECT_FALSE(screen.view.state().edit.typing);
  screen.key(Key::kDown, false, true);
  EXPECT_EQ(selected(), (CellBlock{1, 0, 3, 3})) << "Shift and arrows go on from its corner";
}

TEST_F(Blocks, TakeNumbersOneAfterTheOther) {
  select_two_by_three();
  screen.key(Key::kTab);
  for (const char* number : {"1", "2", "3", "4", "5", "6"}) {
    screen.type(number);
    screen.key(Key::kTab);
  }
  EXPECT_EQ(numbers().block(1, 0, 2, 3), (Matrix{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(selected(), (CellBlock{1, 0, 2, 3}));
  for (const char* number : {"7", "8"}) {
    screen.type(number);
    screen.key(Key::kEnter);
  }
  EXPECT_EQ(numbers().block(1, 0, 2, 3), (Matrix{{7, 2, 3}, {8, 5, 6}}));
}

TEST_F(Blocks, WhatCannotBePastedIsExplained) {
  const Matrix before = numbers();
  screen.click("matrix/W_Q/6/1");
  const auto refused = [&](const std::string& text) {
    paste(text);
    EXPECT_EQ(numbers(), before) << text;
    EXPECT_TRUE(screen.shows("message")) << text;
    return error();
  };
  EXPECT_EQ(refused("1\t2\t3\n4\t5\t6\n7\t8\t9"),
            "3 × 3 numbers do not fit: from row 6, column 1 on, W_Q of head 1 has room for 2 × 3");
  EXPECT_THAT(refused("1\t2\n3"), HasSubstr("row 1 has 2 cells, row 2 has 1"));
  EXPECT_THAT(refused("1\tnan"), HasSubstr("NaN cannot be used"));
  EXPECT_THAT(refused("1\tinf"), HasSubstr("∞ cannot be used"));
  EXPECT_THAT(refused("1\tcat"), HasSubstr("“cat” is not a number: row 1, column 2"));
  EXPECT_EQ(refused(" \n"), "There is nothing to paste.");
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(Blocks, InTheSentenceTheKeysBelongToTheText) {
  screen.click("sentence");
  screen.key(Key::kA, true);
  screen.key(Key::kC, true);
  EXPECT_EQ(clipboard, screen.document().sentence);
}

TEST(BlockText, ReadsWhatSpreadsheetsGive) {
  const Matrix expected{{1, -2.5f}, {0.125f, 3}};
  for (const char* text : {"1\t-2.5\n0.125\t3", "1\t-2.5\r\n0.125\t3\r\n", "1\t-2.5\r0.125\t3\r",
                           " 1 \t−2,5 \n\"0,125\"\t\" 3\"\n", "\u00A01\t-2.5\n+0.125\t3e0\n"}) {
    const auto read = read_block_text(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(*read, expected) << text;
  }
}

TEST(BlockText, ReadsBackWhatItWrote) {
  const Matrix numbers{{0.1f, -0.0f, 1e-45f}, {1e6f, -INFINITY, 16777217.0f}};
  const auto read = read_block_text(block_text(numbers));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, numbers);
  EXPECT_TRUE(std::signbit((*read)(0, 1)));
}

TEST(BlockText, RefusesWhatWouldBeGuessed) {
  for (const char* text : {"", "\n", "1 2", "1\t", "1.234,5", "1;2", "\"1"})
    EXPECT_FALSE(read_block_text(text)) << text;
  const std::string wide(3000, '\t'), tall(3000, '\n');
  EXPECT_THAT(read_block_text("1" + wide + tall).error().message,
              HasSubstr("more than can be pasted"));
}

}  // namespace
}  // namespace lab
