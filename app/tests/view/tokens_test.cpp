// The Tokens card: lines from queries to keys.
#include <gtest/gtest.h>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

std::string words(int count) {
  std::string text = "w0";
  for (int i = 1; i < count; ++i) text += " w" + std::to_string(i);
  return text;
}

Document sized(const std::string& sentence, int heads) {
  attention::Config config;
  config.n_heads = heads;
  config.d_model = config.d_out = 8;
  config.d_k = config.d_v = 2;
  return make_document(sentence, config, 7);
}

// A document whose first query may attend to nothing.
Document with_dead_row() {
  Document document = sized("one two three", 3);
  for (int col = 0; col < 3; ++col)
    document = lab::apply(document, SetCell{{MatrixId::kMask, 0}, 0, col, 0}).value();
  return document;
}

Document cross() {
  return lab::apply(sized("one two three", 2), SetKvSentence{"uno due tre quattro cinque"}).value();
}

void hover(Screen& screen, const std::string& name) {
  const Rect rect = screen.place(name);
  screen.move({rect.x + rect.w / 2, rect.y + rect.h / 2});
  screen.frames(2);
}

TEST(Chips, FadeOutWhereThereAreMore) {
  {
    Screen few(make_document("one two three", attention::Config{}, 1));
    EXPECT_FALSE(few.shows("chip/more"));
  }
  std::string sentence;
  for (int i = 0; i < 60; ++i) sentence += "word" + std::to_string(i) + " ";
  Screen many(make_document(sentence, attention::Config{}, 1), {1280, 800});
  many.view.state().selection.query = 0;
  many.frames(4);
  EXPECT_TRUE(many.shows("chip/more"));
  EXPECT_FALSE(many.shows("chip/less"));
  many.view.state().selection.query = 59;
  many.frames(4);
  EXPECT_TRUE(many.shows("chip/less"));
  EXPECT_FALSE(many.shows("chip/more"));
}

TEST(Tokens, BothSidesCanBeClicked) {
  Screen screen(*open_document("refer"));
  screen.view.state().selection.stage = attention::Stage::kQ;
  screen.click("tokens/key/3");
  EXPECT_EQ(screen.view.state().selection.key, 3);
  EXPECT_EQ(screen.view.state().selection.stage, attention::Stage::kWeights);
  screen.click("tokens/query/9");
  EXPECT_EQ(screen.view.state().selection.query, 9);
  EXPECT_EQ(screen.view.state().selection.key, 3);
}

TEST(Tokens, PointingAtOneShowsItsWeight) {
  Screen screen(*open_document("refer"));
  screen.view.state().selection.query = 2;
  screen.view.state().selection.key = 5;
  hover(screen, "tokens/key/4");
  ASSERT_TRUE(screen.view.state().hovered);
  EXPECT_EQ(screen.view.state().hovered->cell, (Cell{2, 4}));
  hover(screen, "tokens/query/6");
  ASSERT_TRUE(screen.view.state().hovered);
  EXPECT_EQ(screen.view.state().hovered->cell, (Cell{6, 5}));
}

TEST(Tokens, SurviveAnyNumberAndAnyMask) {
  for (const Document& document :
       {sized("x", 1), sized(words(11), 3), sized(words(200), 9), with_dead_row(), cross()}) {
    Screen screen(document);
    for (const TokenLines lines : {TokenLines::kQuery, TokenLines::kAll, TokenLines::kHeads}) {
      screen.view.state().tokens.lines = lines;
      hover(screen, "tokens/query");
      hover(screen, "tokens/key");
      EXPECT_TRUE(screen.shows("tokens/share"));
    }
  }
}

TEST(Tokens, TheChoiceOfLinesIsInReach) {
  Screen screen(*open_document("refer"));
  screen.click("tokens/lines/all");
  EXPECT_EQ(screen.view.state().tokens.lines, TokenLines::kAll);
  EXPECT_FALSE(screen.shows("tokens/head/1"));
  screen.click("tokens/lines/heads");
  EXPECT_EQ(screen.view.state().tokens.lines, TokenLines::kHeads);
  EXPECT_TRUE(screen.shows("tokens/head/3"));
}

TEST(Tokens, TheShareFollowsTheSlider) {
  Screen screen(*open_document("refer"));
  const Rect slider = screen.place("tokens/share");
  screen.move({slider.x + 1, slider.y + slider.h / 2});
  screen.press();
  EXPECT_FLOAT_EQ(screen.view.state().tokens.share, 0.1f);
  screen.move({slider.right() - 1, slider.y + slider.h / 2});
  screen.release();
  EXPECT_FLOAT_EQ(screen.view.state().tokens.share, 1);
}

TEST(Tokens, AHeadKeepsItsColourWhenOthersAreHidden) {
  Screen screen(sized("one two three", 9));
  screen.view.state().tokens.lines = TokenLines::kHeads;
  screen.frames(2);
  const auto& heads = screen.view.state().tokens.heads;
  EXPECT_EQ(heads[2], 2);
  screen.click("tokens/head/1");
  EXPECT_EQ(heads[0], -1);
  EXPECT_EQ(heads[2], 2);
  screen.click("tokens/head/9");
  EXPECT_EQ(heads[0], 8) << "the colour that is free";
  screen.click("tokens/head/1");
  EXPECT_EQ(std::ranges::count(heads, 0), 0) << "none is free";
}

TEST(Tokens, TheEndOfALineKeepsItsLabelWhereOnlySomeFit) {
  Screen screen(*open_document("refer"));
  screen.workspace.queue(intent::Apply{SetOverride{{attention::Stage::kWeights, 0, 7, 1}, 0.95f}});
  screen.workspace.drain();
  screen.view.state().edit.matrix = MatrixId::kMask;
  screen.view.state().selection.query = 7;
  screen.view.state().selection.key = 0;  // beside it
  for (const float height : {1080.0f, 980.0f, 940.0f, 900.0f}) {
    ImGui::GetIO().DisplaySize.y = height;
    screen.frames(3);
    ASSERT_TRUE(screen.shows("tokens/label/key/1")) << height;
    ASSERT_TRUE(screen.shows("tokens/label/key/0")) << height << ": the selected one";
  }
}

}  // namespace
}  // namespace lab
