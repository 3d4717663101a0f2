// Editing heads of a trained model in the window: their menu, patches, and the list of edits.
#include <gmock/gmock.h>

#include "app/document/listed_edits.h"
#include "app/document/model/shown_layer.h"
#include "app/tests/view/model_screen.h"
#include "app/view/maps/model_heads.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr LayerId kLayer0{Sublayer::kSelf, 0}, kLayer1{Sublayer::kSelf, 1};

// The model on another text is B, on the first one A.
struct PatchScreen : ModelScreen {
  PatchScreen() {
    settle();
    key(Key::kD, true);  // keeps A
    workspace.queue(intent::Apply{SetSentence{"xbcdxbc"}});
    settle();
  }
  // Opens the menu of the focused head, and chooses in it.
  void choose(const std::string& item) {
    key(Key::kG);
    frames(2);
    click(item);
    settle();
  }
};

// What the model predicts last, by a pass of its own.
Matrix last_row(const ModelDocument& model) {
  NetworkEvaluator fresh;
  return fresh.evaluate(model.network, tokens_of(model), model.interventions)
      .stack.last->bottomRows(1);
}

TEST(TileMenu, SetsTheGainOfTheSelectedHeads) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.ctrl_click("tile/0/1");
  screen.ctrl_click("tile/1/3");
  screen.key(Key::kG);
  screen.frames(2);
  screen.click("tile/gain/0.5");
  screen.frames(2);
  ASSERT_EQ(screen.gains().size(), 2U);
  for (const auto& gain : screen.gains()) EXPECT_EQ(gain.gain, 0.5f);
  screen.key(Key::kEscape);
  screen.frames(2);
  screen.key(Key::kZ, true);
  EXPECT_THAT(screen.gains(), IsEmpty()) << "one step";
}

TEST(TileMenu, OfTheFocusedHeadIsAboutTheSelectedOnesToo) {
  ModelScreen screen;
  screen.click("tile/1/3");
  screen.ctrl_click("tile/0/1");
  screen.key(Key::kG);
  screen.frames(2);
  screen.click("tile/mute");
  screen.frames(2);
  EXPECT_EQ(screen.gains().size(), 2U);
}

TEST(ModelOverrides, FollowTheirTokensAndSayWhatIsDetached) {
  ModelScreen screen;
  screen.settle();
  screen.workspace.queue(intent::Apply{SetOverride{{Stage::kWeights, 1, 3, 2}, 0.5f}, {}, kLayer1});
  screen.settle();
  screen.workspace.queue(intent::Apply{SetSentence{"xabcdabc"}});
  screen.settle();
  ASSERT_EQ(screen.model().interventions.overrides.size(), 1U);
  EXPECT_EQ(screen.model().interventions.overrides[0].cell.row, 4) << "on d";
  EXPECT_FALSE(screen.shows("detached"));
  screen.workspace.queue(intent::Apply{SetSentence{"xabcabc"}});
  screen.settle();
  ASSERT_TRUE(screen.shows("detached"));
  EXPECT_THAT(screen.view.state().detached.text,
              HasSubstr("Detached with “d”: override L1H1 weights · d, c = 0.5"));
  EXPECT_TRUE(screen.shows("panel/edits"));
  screen.click("detached/undo");
  screen.settle();
  EXPECT_EQ(screen.model().interventions.overrides.size(), 1U);
  EXPECT_FALSE(screen.shows("detached"));
}

TEST(ModelAnswer, StaysThatOfTheModelWithoutEdits) {
  ModelScreen screen;
  screen.settle();
  const auto token_of = [&] { return screen.numbers().answer.value->token.prediction.id; };
  const auto likeliest = [&] { return screen.numbers().predictions.value->top.front().id; };
  const std::uint32_t default_value = token_of();
  EXPECT_EQ(default_value, likeliest());
  for (const char* tile : {"tile/0/0", "tile/0/1", "tile/0/2", "tile/0/3"}) {
    screen.click(tile);
    screen.key(Key::kM);
  }
  screen.settle();
  ASSERT_NE(likeliest(), default_value) << "the edits change what comes next";
  EXPECT_EQ(token_of(), default_value);
  screen.workspace.queue(intent::Apply{SetSentence{"xyzxy"}});
  screen.settle();
  const std::uint32_t other = token_of();
  for (int i = 0; i < 4; ++i)
    screen.workspace.queue(intent::Apply{SetHeadMix{.head = i, .mute = false}, {}, kLayer0});
  screen.settle();
  EXPECT_EQ(likeliest(), other) << "that of the other text without edits";
}

TEST(TileMenu, MarksAHeadWithoutAnEdit) {
  ModelScreen screen;
  screen.click("tile/1/2");
  screen.key(Key::kK);
  EXPECT_THAT(screen.view.state().heads.marked, ElementsAre(HeadRef{kLayer1, 2}));
  EXPECT_FALSE(screen.workspace.history().can_undo());
  screen.key(Key::kK);
  EXPECT_THAT(screen.view.state().heads.marked, IsEmpty());
}

TEST(Patching, TakesWhatTheHeadWritesInA) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.settle();
  const Snapshot& a = *screen.view.state().compare.a;
  const Matrix in_a = head_output(*a.document.layer.model, *a.network, {kLayer0, 2});
  screen.choose("tile/patch");
  ASSERT_EQ(screen.model().interventions.patches.size(), 1U);
  EXPECT_EQ(*screen.model().interventions.patches.front().values, in_a);
  EXPECT_THAT(screen.model().interventions.overrides, IsEmpty());
  EXPECT_EQ(screen.workspace.network_trace()->stack.last->bottomRows(1), last_row(screen.model()));
  screen.choose("tile/unpatch");
  EXPECT_THAT(screen.model().interventions.patches, IsEmpty());
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.model().interventions.patches.size(), 1U) << "undo brings it back";
}

// The heads of a layer without an MLP then write in B what they write in A.
TEST(Patching, OfAllHeadsOfALayerReplacesAllThatTheyWrite) {
  PatchScreen screen;
  screen.click("tile/0/0");
  screen.choose("tile/layer");
  EXPECT_EQ(screen.view.state().heads.chosen.size(), 4U);
  screen.choose("tile/patch");
  EXPECT_EQ(screen.model().interventions.patches.size(), 4U);
  const auto& trace = *screen.workspace.network_trace();
  const auto& a = *screen.view.state().compare.a->network;
  const Matrix written = *trace.stack.blocks[1].input - *trace.stack.blocks[0].input;
  const Matrix in_a = *a.stack.blocks[1].input - *a.stack.blocks[0].input;
  EXPECT_LT((written - in_a).cwiseAbs().maxCoeff(), 1e-4f * in_a.cwiseAbs().maxCoeff());
}

TEST(Patching, ATileIsDraggedFromAToB) {
  PatchScreen screen;
  const Rect from = screen.place("a/tile/1/2"), to = screen.place("tile/1/2");
  EXPECT_LT(from.right(), to.x) << "A is on the left";
  EXPECT_NEAR(from.y, to.y, 1) << "in the same row";
  screen.drag("a/tile/1/2", {to.x - from.x, 0});
  screen.settle();
  ASSERT_EQ(screen.model().interventions.patches.size(), 1U);
  EXPECT_EQ(screen.model().interventions.patches.front().at, kLayer1);
  EXPECT_EQ(screen.model().interventions.patches.front().head, 2);
  screen.drag("a/layer/0", {to.x - from.x, 0});
  screen.settle();
  EXPECT_EQ(screen.model().interventions.patches.size(), 5U) << "all heads of the layer besides";
  screen.drag("a/tile/0/0", {0, -30});
  screen.settle();
  EXPECT_EQ(screen.model().interventions.patches.size(), 5U) << "dropped elsewhere";
}

TEST(Patching, IsNotOfferedForTextsOfOtherLength) {
  PatchScreen screen;
  screen.workspace.queue(intent::Apply{SetSentence{"xbcdxbcd"}});
  screen.settle();
  screen.click("tile/0/2");
  screen.settle();
  screen.key(Key::kG);
  screen.frames(2);
  EXPECT_FALSE(screen.shows("tile/patch"));
  EXPECT_TRUE(screen.shows("tile/mute"));
  EXPECT_TRUE(screen.shows("a/reason")) << "and it is said why";
  screen.key(Key::kEscape);
  screen.workspace.queue(intent::Apply{SetSentence{"xbcdxbc"}});
  screen.settle();
  EXPECT_FALSE(screen.shows("a/reason"));
}

// A and B are compared at the layer that is looked at, whichever A was kept at.
TEST(Patching, ComparesTheSameLayers) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.settle();
  ASSERT_EQ(screen.at(), kLayer0);
  const Snapshot* a = screen.view.state().compare.a.get();
  EXPECT_EQ(a->document.layer.at, kLayer0);
  NetworkEvaluator fresh;
  const ModelDocument& model = *a->document.layer.model;
  const auto& trace = fresh.evaluate(model.network, tokens_of(model), model.interventions);
  const Matrix expected = trace.stack.head_weights(0, 2);
  EXPECT_LT((*a->trace.heads[2].weights - expected).cwiseAbs().maxCoeff(), 1e-5f);
  screen.key(Key::kPageDown);
  screen.settle();
  EXPECT_EQ(screen.view.state().compare.a->document.layer.at, kLayer1);
}

TEST(Patching, TakesOneRowOfAStageFromA) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.settle();
  select_cell(screen.view.state().selection, Stage::kWeights, {4, 1});
  screen.frames(2);
  screen.click("menu/weights");
  screen.frames(2);
  screen.click("menu/weights/row_from_a");
  screen.settle();
  const Matrix in_a = *screen.view.state().compare.a->trace.heads[2].weights;
  const Matrix now = *screen.workspace.trace().heads[2].weights;
  EXPECT_EQ(now.row(4), in_a.row(4));
  EXPECT_NE(now.row(5), in_a.row(5)) << "of that row alone";
  EXPECT_EQ(screen.model().interventions.overrides.size(), 7U);
  EXPECT_EQ(screen.workspace.network_trace()->stack.last->bottomRows(1), last_row(screen.model()));
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_THAT(screen.model().interventions.overrides, IsEmpty()) << "one step";
}

TEST(Patching, ARowOfAStageIsDraggedFromAToB) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.settle();
  screen.click("compare/a");
  screen.frames(2);
  const Rect row = screen.place("stage/weights/4/1"), b = screen.place("compare/b");
  screen.drag("stage/weights/4/1", {b.x + 5 - row.x - row.w / 2, b.y + 60 - row.y - row.h / 2});
  screen.settle();
  EXPECT_THAT(screen.model().interventions.overrides, IsEmpty()) << "dropped beside it";
  screen.drag("stage/weights/4/1", {b.x + 5 - row.x - row.w / 2, b.y + 5 - row.y - row.h / 2});
  screen.settle();
  const Matrix in_a = *screen.view.state().compare.a->trace.heads[2].weights;
  const Matrix now = *screen.workspace.trace().heads[2].weights;
  EXPECT_EQ(now.row(4), in_a.row(4));
  EXPECT_NE(now.row(5), in_a.row(5)) << "of that row alone";
  EXPECT_EQ(screen.view.state().compare.view, view::CompareView::kB) << "what came of it";
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_THAT(screen.model().interventions.overrides, IsEmpty()) << "one step";
}

// The patch is one edit, and no list of numbers.
TEST(Patching, IsNotCountedAsOverrides) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.choose("tile/patch");
  EXPECT_FALSE(screen.shows("button/overrides"));
  screen.workspace.queue(intent::Apply{SetOverride{{Stage::kWeights, 2, 3, 1}, 0.5f}});
  screen.settle();
  screen.click("button/overrides");
  EXPECT_TRUE(screen.shows("override/0"));
  EXPECT_FALSE(screen.shows("override/1"));
  screen.click("overrides/clear");
  screen.settle();
  EXPECT_THAT(screen.model().interventions.overrides, IsEmpty());
  EXPECT_EQ(screen.model().interventions.patches.size(), 1U) << "it stays";
}

TEST(EditList, SwitchesEveryKindOfEditOffAndOn) {
  ModelScreen screen;
  screen.settle();
  EXPECT_FALSE(screen.shows("panel/edits")) << "nothing was edited";
  const Matrix before = last_row(screen.model());
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 1, .mute = true}, {}, kLayer1});
  screen.workspace.queue(
      intent::Apply{SetOverride{{Stage::kWeights, 2, 6, 1}, 0.75f}, {}, kLayer0});
  screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWV, 2}, 3, 4, 9}, {}, kLayer0});
  screen.settle();
  const Matrix edited = last_row(screen.model());
  EXPECT_NE(edited, before);
  const auto switches = {"edits/0/switch", "edits/1/switch", "edits/2/switch"};
  for (const char* one : switches) {
    screen.click(one);
    screen.settle();
  }
  EXPECT_EQ(last_row(screen.model()), before) << "all are switched off";
  EXPECT_EQ(screen.model().network, screen.model().source->network) << "bit for bit";
  EXPECT_EQ(screen.workspace.network_trace()->stack.last->bottomRows(1), before);
  EXPECT_TRUE(screen.shows("edits/2/switch")) << "they stay in the list";
  for (const char* one : switches) {
    screen.click(one);
    screen.settle();
  }
  EXPECT_EQ(last_row(screen.model()), edited);
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_NE(last_row(screen.model()), edited) << "switching is a step";
}

TEST(EditList, RestoresTheNumbersThatTheModelHad) {
  ModelScreen screen;
  screen.settle();
  const auto own = screen.model().network;
  screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWQ, 2}, 3, 4, 9}, {}, kLayer1});
  screen.settle();
  ASSERT_TRUE(screen.shows("edits/0/restore"));
  screen.click("edits/0/restore");
  screen.settle();
  EXPECT_FALSE(screen.shows("panel/edits"));
  EXPECT_THAT(edits_of(screen.model()), IsEmpty());
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_TRUE(screen.shows("edits/0/restore"));
}

TEST(EditList, SwitchesEditsOfALayerMadeByHand) {
  Screen screen(*open_document("refer"));
  EXPECT_FALSE(screen.shows("panel/edits")) << "there are none";
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 1, .mute = true}});
  screen.workspace.queue(intent::Apply{SetOverride{{Stage::kScores, 2, 1, 1}, 4}});
  screen.frames(3);
  const auto problem = screen.workspace.edited().problem;
  for (const char* one : {"edits/0/switch", "edits/1/switch"}) {
    screen.click(one);
    screen.frames(2);
  }
  EXPECT_TRUE(screen.workspace.edited().problem.overrides.empty());
  EXPECT_TRUE(screen.workspace.edited().problem.head_mix.empty());
  EXPECT_TRUE(screen.shows("edits/1/switch")) << "they stay in the list";
  screen.key(Key::kZ, true);
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_TRUE(same_problem(screen.workspace.edited().problem, problem));
  screen.click("edits/1");
  screen.frames(2);
  EXPECT_EQ(screen.view.state().head, 2);
}

TEST(EditList, SaysWhatIsDetachedWithTheText) {
  PatchScreen screen;
  screen.click("tile/0/2");
  screen.choose("tile/patch");
  screen.workspace.queue(intent::Apply{SetSentence{"xbcdxbcd"}});
  screen.settle();
  EXPECT_THAT(screen.model().interventions.patches, IsEmpty());
  const auto edits = edits_of(screen.model());
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_EQ(edits.front().effect, ListedEdit::Effect::kDetached);
  EXPECT_TRUE(screen.shows("edits/0"));
  EXPECT_FALSE(screen.shows("edits/0/switch")) << "there is nothing to switch";
  screen.workspace.queue(intent::Apply{SetSentence{"xbcdxbc"}});
  screen.settle();
  EXPECT_TRUE(screen.shows("edits/0/switch")) << "it is back";
}

}  // namespace
}  // namespace lab
