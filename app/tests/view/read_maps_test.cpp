// Inspecting the maps: highlights, pins, the trail, zoom and blocks.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/cards/zoom_button.h"
#include "app/view/editor/block_summary.h"
#include "app/view/maps/map_reading.h"

namespace lab {
namespace {

using attention::CellRef;
using attention::Stage;

Document refer_example() { return open_document("refer").value(); }

void point_at(Screen& screen, const std::string& name) {
  const Rect rect = screen.place(name);
  screen.move({rect.x + rect.w / 2, rect.y + rect.h / 2});
  screen.frames();
}

void hold(Key key, bool down) { compat::feed_key(ImGui::GetIO(), key, down); }

void alt_key(Screen& screen, Key key) {
  hold(Key::kLeftAlt, true);
  screen.key(key);
  hold(Key::kLeftAlt, false);
  screen.frames();
}

void turn_wheel(Screen& screen, float by) {
  compat::feed_scroll(ImGui::GetIO(), {0, by});
  screen.frames(2);
}

bool is_highlighted(Screen& screen, std::string_view matrix, CellBlock box) {
  return std::ranges::any_of(screen.view.state().inspection.highlight.regions,
                             [&](const HighlightRegion& highlight) {
                               return highlight.matrix == matrix && highlight.box == box;
                             });
}

TEST(Highlight, PointingAtACellLightsItsSourcesAndTokens) {
  Screen screen(refer_example());
  point_at(screen, "stage/scores/7/1");
  EXPECT_TRUE(is_highlighted(screen, "Q", {7, 0, 1, 4}));
  EXPECT_TRUE(is_highlighted(screen, "K", {1, 0, 1, 4}));
  EXPECT_EQ(screen.view.state().inspection.highlight.tokens.query, 7);
  EXPECT_EQ(screen.view.state().inspection.highlight.tokens.key, 1);
  screen.move({-1, -1});
  screen.frames();
  EXPECT_TRUE(screen.view.state().inspection.highlight.regions.empty());
}

TEST(Highlight, ChipsBarsAndParametersLightWhatTheyBelongTo) {
  Screen screen(refer_example());
  point_at(screen, "chip/3");
  EXPECT_TRUE(is_highlighted(screen, "Q", {3, 0, 1, 4}));
  point_at(screen, "matrix/W_Q/2/1");
  EXPECT_TRUE(is_highlighted(screen, "Q", {0, 1, 11, 1}));
  screen.view.state().selection.query = 7;
  point_at(screen, "row/5");
  EXPECT_TRUE(is_highlighted(screen, "weights", {7, 5, 1, 1}));
  EXPECT_TRUE(is_highlighted(screen, "scaled_scores", {7, 0, 1, 11}));
}

TEST(ExplainLinks, LeadFromAWeightDownToTheEmbeddingAndBack) {
  Screen screen(refer_example());
  screen.click("stage/weights/7/1");
  point_at(screen, "explain/0/2");
  EXPECT_TRUE(is_highlighted(screen, "Q", {7, 2, 1, 1})) << "the number lights its cell";
  screen.click("explain/0/2");
  const Selection& selection = screen.view.state().selection;
  EXPECT_EQ(selection.stage, Stage::kQ);
  EXPECT_EQ(selected_cell(selection), (Cell{7, 2}));
  screen.click("explain/0/3");
  EXPECT_EQ(selection.stage, Stage::kX);
  EXPECT_EQ(screen.view.state().edit.matrix, MatrixId::kX);
  EXPECT_EQ(screen.view.state().edit.cursor, (Cell{7, 3}));
  alt_key(screen, Key::kLeft);
  EXPECT_EQ(selection.stage, Stage::kQ);
  screen.click("explain/back");
  EXPECT_EQ(selection.stage, Stage::kWeights);
  alt_key(screen, Key::kRight);
  EXPECT_EQ(selection.stage, Stage::kQ);
}

TEST(ExplainLinks, AParameterOpensItsTabWithTheCursorOnIt) {
  Screen screen(refer_example());
  screen.click("stage/K/2/1");
  screen.click("explain/1/4");
  EXPECT_EQ(screen.view.state().edit.matrix, MatrixId::kWK);
  EXPECT_EQ(screen.view.state().edit.cursor, (Cell{4, 1}));
  EXPECT_EQ(screen.view.state().selection.stage, Stage::kK) << "it stays explained";
}

TEST(ExplainLinks, LongLinesCanBeShownWhole) {
  attention::Config config;
  config.d_model = config.d_out = 20;
  Screen screen(make_document("one two", config, 7));
  screen.click("stage/Q/0/0");
  EXPECT_FALSE(screen.shows("explain/0/5"));
  screen.click("explain/0/more");
  EXPECT_TRUE(screen.shows("explain/0/5"));
  screen.click("explain/0/more");
  EXPECT_FALSE(screen.shows("explain/0/5"));
}

TEST(ExplainCopy, PutsTextAndLatexOnTheClipboard) {
  Screen screen(refer_example());
  screen.click("stage/weights/7/1");
  screen.key(Key::kC, true, true);
  const std::string text = ImGui::GetClipboardText();
  EXPECT_NE(text.find("weights[it, animal] = "), std::string::npos) << text;
  screen.key(Key::kL, true, true);
  const std::string latex = ImGui::GetClipboardText();
  EXPECT_EQ(latex.find("\\begin{aligned}"), 0U) << latex;
}

TEST(Pins, CtrlClickPinsAndEscUnpins) {
  Screen screen(refer_example());
  screen.click("stage/weights/7/1");
  hold(Key::kLeftCtrl, true);
  screen.click("stage/weights/3/2");
  screen.click("stage/Q/4/1");
  hold(Key::kLeftCtrl, false);
  screen.frames();
  const auto& pins = screen.view.state().inspection.pins;
  EXPECT_EQ(pins, (std::vector<CellRef>{{"weights", 0, 3, 2}, {"Q", 0, 4, 1}}));
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{7, 1})) << "stays selected";
  screen.click("pin/1/remove");
  EXPECT_EQ(pins.size(), 1U);
  screen.click("pin/0");
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{3, 2}));
  screen.key(Key::kEscape);
  EXPECT_TRUE(pins.empty());
}

TEST(Pins, ManyAreFoldedSoThatTheArithmeticStaysInView) {
  Screen screen(refer_example(), {1600, 1600});
  screen.click("stage/weights/7/1");
  hold(Key::kLeftCtrl, true);
  for (int row = 0; row < 7; ++row) screen.click("stage/weights/" + std::to_string(row) + "/3");
  hold(Key::kLeftCtrl, false);
  screen.frames();
  const auto listed = [&](const std::string& pin) {
    return screen.view.widgets().widgets().contains(pin);
  };
  EXPECT_TRUE(listed("pin/3"));
  EXPECT_FALSE(listed("pin/4"));
  screen.click("pins/more");
  EXPECT_TRUE(listed("pin/6"));
  screen.click("pins/more");
  EXPECT_FALSE(listed("pin/6"));
}

TEST(Pins, ThoseOfARemovedCellAreDiscarded) {
  Screen screen(refer_example());
  screen.click("stage/weights/10/10");
  screen.key(Key::kP);
  EXPECT_EQ(screen.view.state().inspection.pins.size(), 1U);
  screen.workspace.queue(intent::Apply{SetSentence{"only three words"}});
  screen.frames(3);
  EXPECT_TRUE(screen.view.state().inspection.pins.empty());
}

TEST(Keys, ArrowsMoveTheSelectedCell) {
  Screen screen(refer_example());
  screen.click("stage/weights/7/1");
  screen.key(Key::kUp);
  screen.key(Key::kRight);
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{6, 2}));
  for (int i = 0; i < 20; ++i) screen.key(Key::kLeft);
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{6, 0})) << "stops at the edge";
  screen.click("matrix/W_Q/0/0");
  screen.key(Key::kDown);
  EXPECT_EQ(selected_cell(screen.view.state().selection), (Cell{6, 0})) << "the grid has the keys";
}

TEST(MapZoom, TheWheelZoomsAroundThePointerAndADragPans) {
  Screen screen(refer_example());
  point_at(screen, "stage/weights/5/5");
  const float before = screen.place("stage/weights/5/5").w;
  turn_wheel(screen, 6);
  EXPECT_GT(screen.place("stage/weights/5/5").w, 1.5f * before);
  EXPECT_FALSE(screen.shows("stage/weights/0/0"));
  const MatrixRegion region = screen.view.state().inspection.regions.at(Stage::kWeights);
  const Selection selection = screen.view.state().selection;
  screen.drag("stage/weights/5/5", {30, 0});
  EXPECT_LT(screen.view.state().inspection.regions.at(Stage::kWeights).x, region.x);
  EXPECT_EQ(screen.view.state().selection, selection) << "a drag is no click";
  screen.key(Key::k0);
  EXPECT_TRUE(screen.shows("stage/weights/0/0"));
}

TEST(MapZoom, AWheelThatScrollsGoesOnScrollingOverAMapThatComesUnderThePointer) {
  Screen screen(refer_example(), {1024, 640});
  const auto is_over_map = [&] { return screen.view.state().inspection.on_map; };
  const Rect heads = screen.place("panel/heads");
  screen.move({heads.x + heads.w / 2, heads.y + 4});
  turn_wheel(screen, -100);
  ASSERT_FALSE(screen.shows("stage/Q/0/0"));
  for (int i = 0; i < 30 && !is_over_map(); ++i) turn_wheel(screen, 0.5f);
  ASSERT_TRUE(is_over_map());
  turn_wheel(screen, 30);
  EXPECT_TRUE(screen.view.state().inspection.regions.empty()) << "no map was zoomed";
  EXPECT_TRUE(screen.shows("stage/Q/0/0")) << "the column is at its top";
  point_at(screen, "stage/Q/0/0");
  turn_wheel(screen, 3);
  EXPECT_FALSE(screen.view.state().inspection.regions.empty()) << "the pointer moved";
}

TEST(MapZoom, AFastDragMovesTheMapAsFarAsThePointer) {
  Screen screen(refer_example());
  point_at(screen, "stage/weights/5/5");
  turn_wheel(screen, 6);
  const Selection selection = screen.view.state().selection;
  const Rect cell = screen.place("stage/weights/5/5");
  screen.move({cell.x + 5, cell.y + 5});
  screen.press();
  compat::feed_pointer(ImGui::GetIO(), {cell.x + 45, cell.y + 5});
  screen.release();  // in one frame with the movement
  EXPECT_NEAR(screen.place("stage/weights/5/5").x, cell.x + 40, 1);
  EXPECT_EQ(screen.view.state().selection, selection) << "that was no click";
}

TEST(MapZoom, StaysInsideTheMatrixAndShowsAtLeastTwoCells) {
  MatrixRegion region;
  for (int i = 0; i < 50; ++i) region = zoomed(region, 2, {1, 0}, {10, 20});
  EXPECT_FLOAT_EQ(region.w, 0.1f);
  EXPECT_FLOAT_EQ(region.h, 0.2f);
  EXPECT_FLOAT_EQ(region.x, 0.9f);
  EXPECT_FLOAT_EQ(region.y, 0);
  region = panned(region, {-5, 5});
  EXPECT_FLOAT_EQ(region.x, 0.9f);
  EXPECT_FLOAT_EQ(region.y, 0);
  EXPECT_FLOAT_EQ(showing(region, {7, 0}, {10, 20}).y, 0.6f);
  for (int i = 0; i < 50; ++i) region = zoomed(region, 0.5f, {0.3f, 0.3f}, {10, 20});
  EXPECT_TRUE(region.whole());
  EXPECT_FLOAT_EQ(region.x, 0);
}

TEST(LargeCard, OpensByItsButtonOrEnterAndClosesWithEsc) {
  Screen screen(refer_example());
  const float small = screen.place("stage/K").w;
  screen.click("large/K");
  EXPECT_GT(screen.place("stage/K").w, 2 * small);
  EXPECT_FALSE(screen.shows("card/weights"));
  screen.key(Key::kEscape);
  EXPECT_TRUE(screen.shows("card/weights"));
  screen.click("stage/V/0/0");
  screen.key(Key::kL);
  EXPECT_GT(screen.place("stage/V").w, 2 * small);
}

TEST(Title, AClickFocusesTheCard) {
  Screen screen(refer_example());
  const Rect title = screen.place("title/scores");
  screen.move({title.x + 20, title.y + 10});
  screen.press();
  screen.release();
  EXPECT_EQ(screen.view.state().selection.stage, Stage::kScores);
  EXPECT_FALSE(screen.view.state().inspection.large);
}

TEST(LargeCard, OpensByADoubleClickOnTheTitle) {
  Screen screen(refer_example());
  const Rect title = screen.place("title/scores");
  screen.move({title.x + 20, title.y + 10});
  for (int i = 0; i < 2; ++i) {
    screen.press();
    screen.release();
  }
  EXPECT_EQ(screen.view.state().inspection.large, Stage::kScores);
}

TEST(Legend, NamesWhatIsMaskedAndNothingElse) {
  Document document = refer_example();
  document.problem.config.mask.causal = true;
  Screen screen(document);
  EXPECT_TRUE(screen.shows("stage/masked_scores/legend/below"));
  EXPECT_FALSE(screen.shows("stage/masked_scores/legend/nan"));
  EXPECT_FALSE(screen.shows("stage/scores/legend/below"));
}

TEST(Block, ShiftDragSelectsOneThatIsSummarised) {
  Screen screen(refer_example());
  const Rect from = screen.place("stage/scores/2/1"), to = screen.place("stage/scores/5/4");
  hold(Key::kLeftShift, true);
  screen.drag("stage/scores/2/1", {to.x - from.x, to.y - from.y});
  hold(Key::kLeftShift, false);
  screen.frames();
  ASSERT_TRUE(screen.view.state().inspection.block);
  EXPECT_EQ(screen.view.state().inspection.block->to, (Cell{5, 4}));
  EXPECT_TRUE(screen.shows("block/histogram"));
  screen.key(Key::kEscape);
  EXPECT_FALSE(screen.shows("block/histogram"));
}

TEST(Block, ShiftAndArrowsExtendItFromTheSelectedCell) {
  Screen screen(refer_example());
  screen.click("stage/weights/7/1");
  screen.key(Key::kDown, false, true);
  screen.key(Key::kRight, false, true);
  ASSERT_TRUE(screen.view.state().inspection.block);
  const auto& [stage, from, to] = *screen.view.state().inspection.block;
  EXPECT_EQ(from, (Cell{7, 1}));
  EXPECT_EQ(to, (Cell{8, 2}));
}

TEST(Block, TheSummaryLeavesOutWhatIsNotFinite) {
  attention::Matrix block(2, 3);
  block << 1, 2, 3, 6, NAN, -INFINITY;
  const BlockSummary summary = summarise(block);
  EXPECT_EQ(summary.count, 6);
  EXPECT_EQ(summary.finite, 4);
  EXPECT_DOUBLE_EQ(summary.mean, 3);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(3.5));
  EXPECT_EQ(summary.lowest, 1);
  EXPECT_EQ(summary.highest, 6);
  EXPECT_EQ(summary.histogram.front(), 1);
  EXPECT_EQ(summary.histogram.back(), 1);
}

TEST(Maps, AWheelEndsTypingIntoCells) {
  Screen screen(*open_document("refer"));
  screen.click("matrix/W_Q/0/0");
  ASSERT_TRUE(screen.view.state().edit.focused);
  const Rect map = screen.place("stage/weights");
  screen.move({map.x + map.w / 2, map.y + map.h / 2});
  compat::feed_scroll(ImGui::GetIO(), {0, 1});
  screen.frames(2);
  EXPECT_FALSE(screen.view.state().edit.focused);
}

TEST(Maps, AZoomedHeadingSaysWhichCellsAreSeen) {
  EXPECT_EQ(visible_cells(0.25f, 0.5f, 8), "2–5");
  EXPECT_EQ(visible_cells(0.1f, 0.5f, 8), "0–4") << "parts of cells too";
  EXPECT_EQ(visible_cells(0, 0.125f, 8), "0");
  EXPECT_EQ(visible_cells(0.9f, 0.1f, 11), "9–10");
}

}  // namespace
}  // namespace lab
