// A trained model in the window: the tiles of all heads, what it expects next, and its numbers.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/files/open.h"
#include "app/tests/view/model_screen.h"
#include "app/view/maps/model_heads.h"
#include "app/view/model/tile_numbers.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::HeadGain;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr LayerId kFirst{Sublayer::kSelf, 0}, kSecond{Sublayer::kSelf, 1};

bool active(const ModelScreen& screen, const LayerId& at, Index head) {
  return head_gain(screen.model().interventions, at, head) != 0;
}

TEST(ModelWindow, HasThePanelsOfAModel) {
  ModelScreen screen;
  for (const char* panel : {"panel/layers", "panel/next_token", "panel/network"})
    EXPECT_TRUE(screen.shows(panel)) << panel;
  for (const char* panel : {"panel/heads", "panel/model"})
    EXPECT_FALSE(screen.shows(panel)) << panel;
  screen.workspace.queue(intent::Replace{*open_document("refer"), ""});
  screen.frames(4);
  for (const char* panel : {"panel/layers", "panel/next_token", "panel/network"})
    EXPECT_FALSE(screen.shows(panel)) << panel;
  for (const char* panel : {"panel/heads", "panel/model"})
    EXPECT_TRUE(screen.shows(panel)) << panel;
}

TEST(ModelWindow, HasATileForEveryHeadOfEveryLayer) {
  ModelScreen screen;
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 4; ++head) {
      const Rect tile = screen.place("tile/" + std::to_string(layer) + "/" + std::to_string(head));
      EXPECT_GT(tile.w, 20);
      EXPECT_GT(tile.h, 10);
    }
  EXPECT_FALSE(screen.shows("tile/2/0"));
  EXPECT_FALSE(screen.shows("tile/0/4"));
  EXPECT_LT(screen.place("tile/0/1").x, screen.place("tile/0/2").x);
  EXPECT_LT(screen.place("tile/0/1").y, screen.place("tile/1/1").y);
}

TEST(ModelWindow, ExpectsATokenAlsoWhereTheCardOfTheNextTokenIsOutOfSight) {
  ModelScreen screen("words", "The cat sat", {1600, 1000});
  screen.view.state().scale = 2;
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 1, .mute = true}, {}, kSecond});
  screen.settle();
  ASSERT_FALSE(screen.shows("panel/next_token"));
  EXPECT_TRUE(screen.shows("chip/next"));
  EXPECT_FALSE(screen.view.model_numbers().busy());
}

TEST(ModelExport, NamesAFileAfterTheLayerAndTheHead) {
  ModelScreen screen;
  screen.click("tile/1/2");
  screen.settle();
  screen.key(Key::kE, true);
  screen.frames(6);
  ASSERT_EQ(screen.view.state().dialog.open, Dialog::kExport);
  EXPECT_THAT(screen.view.state().dialog.path, testing::HasSubstr("head-L1H2"));
}

TEST(Tiles, TheViewThatIsShownAlwaysHasAButton) {
  for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1600, 1000}}) {
    ModelScreen screen("induction", "abcabc", size);
    for (const TileView view : {TileView::kDuplicate, TileView::kEntropy, TileView::kReadOut}) {
      screen.view.state().model.tiles = view;
      screen.settle();
      EXPECT_TRUE(screen.shows("tiles/" + std::to_string(static_cast<int>(view))))
          << tile_view_name(view) << " at " << size.x;
    }
  }
}

TEST(Tiles, AClickLooksAtTheHead) {
  ModelScreen screen;
  screen.click("tile/1/3");
  EXPECT_EQ(screen.at(), kSecond);
  EXPECT_EQ(screen.view.state().head, 3);
  screen.click("tile/0/2");
  EXPECT_EQ(screen.at(), kFirst);
  EXPECT_EQ(screen.view.state().head, 2);
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "it is only looked at";
}

TEST(Tiles, MMutesTheSelectedOnesAndUndoBringsThemBack) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.ctrl_click("tile/0/1");
  EXPECT_EQ(screen.at(), kSecond) << "selected, not looked at";
  screen.key(Key::kM);
  EXPECT_FALSE(active(screen, kSecond, 3));
  EXPECT_FALSE(active(screen, kFirst, 1));
  EXPECT_TRUE(active(screen, kFirst, 3));
  EXPECT_EQ(screen.gains().size(), 2U);
  screen.key(Key::kM);
  EXPECT_THAT(screen.gains(), IsEmpty()) << "M unmutes them";
  EXPECT_EQ(screen.workspace.history().undo_label(), "Unmute L1H3 and 1 more");
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.gains().size(), 2U) << "one step";
  screen.key(Key::kZ, true);
  EXPECT_THAT(screen.gains(), IsEmpty());
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(Tiles, MBringsSomeMutedOnesToTheState) {
  ModelScreen screen;
  screen.click("tile/0/1");
  screen.key(Key::kM);
  screen.ctrl_click("tile/1/0");
  screen.key(Key::kM);
  EXPECT_FALSE(active(screen, kFirst, 1));
  EXPECT_FALSE(active(screen, kSecond, 0));
  EXPECT_EQ(screen.gains().size(), 2U);
}

// Two edits of heads never become one step, also when the first one was undone.
TEST(Tiles, EveryPressOfMIsAStep) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.key(Key::kM);
  screen.key(Key::kZ, true);
  screen.key(Key::kM);
  screen.click("tile/0/1");
  screen.key(Key::kM);
  EXPECT_EQ(screen.gains().size(), 2U);
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.gains().size(), 1U);
}

TEST(Tiles, SLeavesOneHeadOfItsLayer) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.key(Key::kS);
  EXPECT_TRUE(active(screen, kSecond, 3));
  for (const Index head : {0, 1, 2}) EXPECT_FALSE(active(screen, kSecond, head));
  EXPECT_TRUE(active(screen, kFirst, 0)) << "of its layer only";
  screen.key(Key::kS);
  EXPECT_THAT(screen.gains(), IsEmpty());
}

TEST(Tiles, AStepIsCalledByTheNameOfItsHead) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 2, .scale = 0.5f}});
  screen.frames(2);
  EXPECT_EQ(screen.workspace.history().undo_label(), "L1H2 times 0.5");
}

TEST(Layers, PageUpAndPageDownStepAndStopAtTheEnds) {
  ModelScreen screen("words", "a small dog and a cat");
  screen.key(Key::kEscape);
  const Index last = std::ssize(screen.model().network.stack.blocks) - 1;
  ASSERT_GE(last, 2);
  screen.click("tile/0/1");
  screen.key(Key::kPageUp);
  EXPECT_EQ(screen.at().layer, 0);
  screen.key(Key::kPageDown);
  EXPECT_EQ(screen.at().layer, 1);
  EXPECT_EQ(screen.view.state().head, 1) << "the head of the same number";
  for (int i = 0; i < 20; ++i) screen.key(Key::kPageDown);
  EXPECT_EQ(screen.at().layer, last);
  screen.key(Key::kPageUp);
  EXPECT_EQ(screen.at().layer, last - 1);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

std::string next_name(const Prediction& one) { return "next/" + std::to_string(one.id); }

TEST(NextToken, IsTheModelsAfterTheLastToken) {
  ModelScreen screen;
  screen.settle();
  const auto& shown = screen.numbers().predictions;
  ASSERT_TRUE(shown.value && shown.current);
  EXPECT_EQ(shown.value->row, 6) << "the last token is selected";
  NetworkEvaluator fresh;
  const auto& trace = fresh.evaluate(screen.model().network, tokens_of(screen.model()));
  const auto logits =
      attention::network::logits(screen.model().network, trace.stack.final.row(6), fresh.pool());
  const auto top = most_probable(attention::RowVector(logits.row(0)), 10);
  for (std::size_t i = 0; i < top.size(); ++i) {
    EXPECT_EQ(shown.value->top[i].id, top[i].id);
    EXPECT_NEAR(shown.value->top[i].probability, top[i].probability, 1e-5);
  }
  EXPECT_LT(screen.place(next_name(top[0])).y, screen.place(next_name(top[1])).y);
}

TEST(NextToken, AChosenAnswerIsWhatTheOtherNumbersAreAbout) {
  ModelScreen screen;
  screen.settle();
  const Prediction second = screen.numbers().predictions.value->top[1];
  screen.click(next_name(second));
  screen.settle();
  ASSERT_TRUE(screen.numbers().answer.value);
  EXPECT_EQ(screen.numbers().answer.value->token.prediction.id, second.id);
  EXPECT_EQ(screen.numbers().answer.value->token.rank, 2);
  screen.click(next_name(second));
  screen.settle();
  EXPECT_EQ(screen.numbers().answer.value->token.rank, 1) << "again: the likeliest one";
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(NextToken, AnAnswerAtTheEndStaysThereWhileTheTextIsTypedAnew) {
  ModelScreen screen;
  screen.settle();
  screen.click("next/" + std::to_string(screen.numbers().predictions.value->top[1].id));
  screen.settle();
  ASSERT_TRUE(screen.view.state().model.answer);
  const auto token = screen.view.state().model.answer->token;
  screen.click("sentence");
  screen.key(Key::kA, true);
  screen.type("dcbadcba");
  screen.settle();
  ASSERT_TRUE(screen.view.state().model.answer);
  EXPECT_EQ(screen.view.state().model.answer->token, token);
  EXPECT_EQ(screen.view.state().model.answer->row, 7);
}

TEST(NextToken, AppendAddsItsText) {
  for (const auto& [name, text] :
       {std::pair("induction", "abcdabc"), std::pair("words", "There was a")}) {
    ModelScreen screen(name, text);
    screen.settle();
    const std::uint32_t likeliest = screen.numbers().predictions.value->top[0].id;
    const std::vector<std::uint32_t> before = screen.model().text.ids;
    screen.click("next/append");
    screen.settle();
    EXPECT_TRUE(screen.document().sentence.starts_with(text));
    std::vector<std::uint32_t> expected = before;
    expected.push_back(likeliest);
    EXPECT_EQ(screen.model().text.ids, expected) << screen.document().sentence;
    EXPECT_EQ(screen.numbers().predictions.value->row, std::ssize(before))
        << "the new token is asked about";
    screen.key(Key::kZ, true);
    EXPECT_EQ(screen.document().sentence, text);
    EXPECT_FALSE(screen.workspace.history().can_undo()) << "one step";
  }
}

TEST(NextToken, IsComparedWithTheUneditedModel) {
  ModelScreen screen;
  screen.settle();
  EXPECT_FALSE(screen.view.model_numbers().unedited().predictions.value);
  const Prediction before = screen.numbers().predictions.value->top[0];
  for (const char* tile : {"tile/1/0", "tile/1/1", "tile/1/2", "tile/1/3"}) {
    screen.click(tile);
    screen.key(Key::kM);
  }
  screen.settle();
  const auto& unedited = screen.view.model_numbers().unedited().predictions;
  ASSERT_TRUE(unedited.value);
  EXPECT_EQ(unedited.value->top[0].id, before.id);
  EXPECT_NEAR(unedited.value->top[0].probability, before.probability, 1e-5);
  const auto& now = screen.numbers().predictions.value->top;
  const auto same = std::ranges::find(now, before.id, &Prediction::id);
  EXPECT_TRUE(same == now.end() || same->probability < before.probability - 0.1f)
      << "without its second layer the model does not copy";
  for (int i = 0; i < 4; ++i) screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_FALSE(screen.view.model_numbers().unedited().predictions.value);
}

// The model has positions for 48 tokens, and its tokens are letters.
TEST(Typing, MoreThanTheModelReadsIsSaidForAsLongAsItIsThereAndCutOnWish) {
  ModelScreen screen;
  screen.type(std::string(60, 'b'));
  screen.settle();
  ASSERT_EQ(screen.view.state().sentence.text.size(), 67U) << "what was typed stays";
  EXPECT_TRUE(screen.shows("sentence/refusal"));
  EXPECT_NE(screen.view.state().sentence.refusal.find("48"), std::string::npos);
  screen.click("tile/1/0");
  screen.click("tile/0/0");
  EXPECT_TRUE(screen.shows("sentence/refusal")) << "another click is no answer";
  screen.click("sentence/cut");
  screen.settle();
  EXPECT_EQ(screen.document().sentence, "abcdabc" + std::string(41, 'b'));
  EXPECT_FALSE(screen.shows("sentence/refusal"));
  EXPECT_EQ(screen.view.state().sentence.text, screen.document().sentence);
}

TEST(Typing, ShowsTheLastTokenOfALongTextAndTheNextOneWhole) {
  ModelScreen screen("induction", std::string(40, 'a'), {1024, 640});
  screen.settle();
  const Rect last = screen.place("chip/39"), next = screen.place("chip/next");
  EXPECT_GE(next.x, last.right());
  EXPECT_LE(next.right(), 1024 - 14);
}

TEST(Typing, AtTheEndKeepsTheLastTokenSelected) {
  ModelScreen screen;
  ASSERT_EQ(screen.view.state().selection.query, 6);
  screen.type("d");
  screen.frames(2);
  ASSERT_EQ(screen.document().sentence, "abcdabcd");
  EXPECT_EQ(screen.view.state().selection.query, 7);
  screen.key(Key::kBackspace);
  screen.key(Key::kBackspace);
  screen.frames(2);
  ASSERT_EQ(screen.document().sentence, "abcdab");
  EXPECT_EQ(screen.view.state().selection.query, 5);
  screen.view.state().selection.query = 2;
  screen.frames(2);
  screen.type("c");
  screen.frames(2);
  EXPECT_EQ(screen.view.state().selection.query, 2) << "another token stays selected, too";
}

}  // namespace
}  // namespace lab
