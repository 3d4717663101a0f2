// The tabs of the Edit card, fills, and painting the mask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Matrix;
using testing::IsEmpty;

constexpr MatrixRef kMask{MatrixId::kMask, 0};

class Matrices : public ::testing::Test {
 protected:
  Matrices() : screen(*open_document("refer")) {}
  Matrix numbers(MatrixRef ref) const { return shown_numbers(screen.document(), ref); }
  std::string step() const { return screen.workspace.history().undo_label(); }
  void apply(const Command& command) {
    screen.workspace.queue(intent::Apply{command});
    screen.frames(2);
  }
  void show(const std::string& matrix) {
    screen.click("tab/more");
    screen.frames(2);
    screen.click("tab/" + matrix);
    screen.frames(2);
  }
  void fill(const std::string& name) {
    screen.click("button/fills");
    screen.frames(2);
    screen.click("fills/" + name);
    screen.frames(2);
  }
  void select(const std::string& first, const std::string& last) {
    screen.click(first);
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, true);
    screen.click(last);
    compat::feed_key(ImGui::GetIO(), Key::kLeftShift, false);
    screen.frames();
  }

  Screen screen;
};

TEST_F(Matrices, AreOfferedWhenTheyExist) {
  show("gamma");
  EXPECT_EQ(screen.view.state().edit.matrix, MatrixId::kWQ) << "layer norm is off";
  screen.key(Key::kEscape);
  apply(SetLayerNorm{true, {}});
  show("gamma");
  screen.click("matrix/gamma/0/2");
  screen.type("3");
  screen.key(Key::kEnter);
  EXPECT_EQ(numbers({MatrixId::kGamma, 0})(0, 2), 3);
  apply(SetLayerNorm{false, {}});
  EXPECT_TRUE(screen.shows("matrix/W_Q/0/0")) << "switched off, it gives way";
}

TEST_F(Matrices, OfEveryVariantAreEditedInPlace) {
  for (const Command& command :
       {Command(SetBiases{true}), Command(SetHeadNorm{true, {}}), Command(SetLayerNorm{true, {}}),
        Command(SetResidual{true}), Command(SetPositions{attention::Positions::kLearned, {}, {}}),
        Command(SetKvSentence{"der Hund sah"})}) {
    apply(command);
  }
  for (const char* name : {"b_K", "b_V", "b_O", "gamma", "beta", "norm_Q", "norm_K",
                           "position_table_kv", "position_table", "X_kv", "score_bias"}) {
    show(name);
    const MatrixRef ref{*matrix_from_name(name), 0};
    screen.click("matrix/" + std::string(name) + "/0/1");
    screen.type("0.5");
    screen.key(Key::kEnter);
    EXPECT_EQ(numbers(ref)(0, 1), 0.5f) << name;
    EXPECT_TRUE(step().starts_with(matrix_in_text(ref) + ", ") && step().ends_with(" → 0.5"))
        << step();
  }
}

TEST_F(Matrices, SinksAreEditedHeadByHead) {
  apply(SetSink{true});
  show("sink");
  const float before = screen.workspace.trace().heads[0].weights->row(2).sum();
  EXPECT_LT(before, 0.999f) << "a sink that was not edited is 0, and takes its share";
  screen.click("matrix/sink/0/0");
  screen.type("-9");
  screen.key(Key::kEnter);
  EXPECT_EQ(numbers({MatrixId::kSink, 0})(0, 0), -9);
}

TEST_F(Matrices, PositionsOfKeysAreThoseOfQueriesUntilTheyAreEdited) {
  constexpr MatrixRef kQueries{MatrixId::kPositionTable, 0}, kKeys{MatrixId::kPositionTableKv, 0};
  apply(SetPositions{attention::Positions::kLearned, {}, {}});
  apply(SetKvSentence{"der Hund sah"});
  apply(SetCell{kQueries, 1, 2, 0.25f});
  EXPECT_EQ(numbers(kKeys)(1, 2), 0.25f);
  show("position_table_kv");
  screen.click("matrix/position_table_kv/1/0");
  screen.type("3");
  screen.key(Key::kEnter);
  EXPECT_EQ((*screen.workspace.trace().position_kv)(1, 0), 3);
  EXPECT_EQ((*screen.workspace.trace().position)(1, 0), 0) << "the queries keep theirs";
  EXPECT_EQ(numbers(kKeys)(1, 2), 0.25f) << "what was shared is kept";
  apply(SetCell{kQueries, 1, 2, 0.5f});
  EXPECT_EQ(numbers(kKeys)(1, 2), 0.25f) << "each table goes its own way now";
  apply(SetKvSentence{""});
  EXPECT_TRUE(screen.shows("matrix/W_Q/0/0")) << "without a second sentence it gives way";
}

TEST_F(Matrices, AScoreBiasMayBeMinusInfinity) {
  show("score_bias");
  screen.click("matrix/score_bias/1/0");
  screen.type("-inf");
  screen.key(Key::kEnter);
  EXPECT_EQ(numbers({MatrixId::kScoreBias, 0})(1, 0), -INFINITY);
  EXPECT_EQ((*screen.workspace.trace().heads[0].weights)(1, 0), 0);
}

TEST_F(Matrices, AMaskOfElevenTokensNeedsNoScrollBar) {
  show("mask");
  EXPECT_TRUE(screen.shows("matrix/mask/0/0"));
  EXPECT_TRUE(screen.shows("matrix/mask/10/10"));
  EXPECT_THAT(screen.scroll_bars(), IsEmpty());
}

TEST_F(Matrices, AStrokePaintsTheMaskInOneStep) {
  show("mask");
  const Rect first = screen.place("matrix/mask/1/1"), last = screen.place("matrix/mask/1/4");
  screen.move({first.x + 4, first.y + 4});
  screen.press();
  screen.move({last.x + 4, last.y + 4});
  EXPECT_EQ((*screen.workspace.trace().heads[0].weights)(1, 3), 0) << "seen while painting";
  screen.release();
  Matrix expected = Matrix::Ones(11, 11);
  expected.block(1, 1, 1, 4).setZero();
  EXPECT_EQ(numbers(kMask), expected) << "no pair is left out";
  EXPECT_EQ(step(), "Paint mask");
  screen.click("matrix/mask/1/2");
  EXPECT_EQ(numbers(kMask)(1, 2), 1) << "the first pair decides what a stroke does";
  screen.key(Key::kZ, true);
  screen.key(Key::kZ, true);
  EXPECT_TRUE(screen.document().problem.allowed.empty());
}

TEST_F(Matrices, EscapeCancelsAStroke) {
  show("mask");
  const Rect first = screen.place("matrix/mask/0/0");
  screen.move({first.x + 4, first.y + 4});
  screen.press();
  EXPECT_EQ(numbers(kMask)(0, 0), 0);
  screen.key(Key::kEscape);
  screen.release();
  EXPECT_TRUE(screen.document().problem.allowed.empty());
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(Matrices, SpaceTurnsPairsOfTheMaskAndButtonsAllOfThem) {
  show("mask");
  select("matrix/mask/2/2", "matrix/mask/3/4");
  screen.key(Key::kZ, true);  // the click on the first pair painted it
  screen.key(Key::kSpace);
  EXPECT_EQ(numbers(kMask).sum(), 121 - 6);
  screen.key(Key::kSpace);
  EXPECT_EQ(numbers(kMask).sum(), 121);
  screen.click("fill/zero");
  EXPECT_EQ(numbers(kMask).sum(), 121 - 6) << "the selected pairs alone";
  screen.click("fill/allow");
  EXPECT_EQ(numbers(kMask).sum(), 121);
  screen.click("matrix/mask/0/0");
  screen.click("fill/zero");
  EXPECT_EQ(numbers(kMask).sum(), 0) << "nothing is selected: all of them";
  screen.click("fill/reset");
  EXPECT_TRUE(screen.document().problem.allowed.empty());
}

TEST_F(Matrices, AreScaledNormalisedAndTransposed) {
  const Matrix before = numbers(kWQ1);
  fill("scale");
  EXPECT_EQ(numbers(kWQ1), before * 0.5f);
  EXPECT_EQ(step(), "Scale W_Q, head 1 by 0.5");
  fill("normalise");
  EXPECT_NEAR(numbers(kWQ1).row(0).norm(), 1, 1e-6);
  EXPECT_EQ(step(), "Normalise rows of W_Q, head 1");
  select("matrix/W_Q/0/0", "matrix/W_Q/2/2");
  const Matrix block = numbers(kWQ1).block(0, 0, 3, 3);
  fill("transpose");
  EXPECT_EQ(numbers(kWQ1).block(0, 0, 3, 3), block.transpose());
  EXPECT_EQ(step(), "Transpose 3 × 3 cells of W_Q, head 1");
}

TEST_F(Matrices, AFillStaysInsideTheSelectedBlock) {
  const Matrix before = numbers(kWQ1);
  select("matrix/W_Q/1/1", "matrix/W_Q/3/2");
  fill("identity");
  Matrix expected = before;
  expected.block(1, 1, 3, 2).setIdentity();
  EXPECT_EQ(numbers(kWQ1), expected);
}

TEST_F(Matrices, ASeedGivesTheSameNumbersAgain) {
  fill("normal");
  const Matrix first = numbers(kWQ1);
  fill("normal");
  EXPECT_NE(numbers(kWQ1), first) << "the next fill is another one";
  screen.view.state().edit.fill_seed = 1;
  fill("normal");
  EXPECT_EQ(numbers(kWQ1), first);
}

TEST_F(Matrices, HaveRoomForTheirTabs) {
  const Rect more = screen.place("tab/more"), card = screen.place("fill/zero");
  EXPECT_GE(more.w, 58);
  EXPECT_GE(card.w, 50);
}

TEST(EditCard, ShowsFiveRowsInASmallWindowToo) {
  Screen screen(*open_document("refer"), {1366, 768});
  screen.view.state().edit.matrix = MatrixId::kMask;
  screen.frames(3);
  const Rect card = screen.place("panel/edit");
  for (const char* cell : {"matrix/mask/0/0", "matrix/mask/4/0"})
    EXPECT_LE(screen.place(cell).bottom(), card.bottom()) << cell;
}

}  // namespace
}  // namespace lab
