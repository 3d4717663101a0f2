// Heads: their switches, order, thumbnails, and views of several heads.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/maps/metrics_cache.h"
#include "core/analysis/metrics.h"

namespace lab {
namespace {

Document many_heads(int heads) {
  attention::Config config;
  config.n_heads = heads;
  config.d_model = config.d_out = 8;
  config.d_k = config.d_v = 2;
  return make_document("one two three four five", config, 7);
}

attention::HeadMix mix(const Screen& screen, std::size_t head) {
  const auto& all = screen.document().problem.head_mix;
  return all.empty() ? attention::HeadMix{} : all[head];
}

void leave_sentence(Screen& screen) { screen.key(Key::kEscape); }

TEST(HeadSwitches, MuteAndSoloAreOneStepEach) {
  Screen screen(*open_document("refer"));
  screen.click("head/2/mute");
  EXPECT_TRUE(mix(screen, 1).mute);
  EXPECT_EQ(screen.view.state().head, 0) << "the thumbnail below was not clicked";
  screen.click("head/3/solo");
  EXPECT_TRUE(mix(screen, 2).solo);
  screen.key(Key::kZ, true);
  EXPECT_FALSE(mix(screen, 2).solo);
  EXPECT_TRUE(mix(screen, 1).mute);
  screen.key(Key::kZ, true);
  EXPECT_FALSE(mix(screen, 1).mute);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(HeadSwitches, HaveKeysThatTextComesBefore) {
  Screen screen(*open_document("refer"));
  screen.click("sentence");
  screen.type("m");
  screen.key(Key::kM);
  screen.key(Key::kS);
  EXPECT_FALSE(mix(screen, 0).mute || mix(screen, 0).solo);
  leave_sentence(screen);
  screen.click("head/2");
  screen.key(Key::kM);
  EXPECT_TRUE(mix(screen, 1).mute);
  screen.key(Key::kS);
  EXPECT_TRUE(mix(screen, 1).solo);
  EXPECT_FALSE(mix(screen, 1).mute) << "nothing would be left of the heads";
  screen.click("matrix/W_Q/0/0");
  screen.key(Key::kM);
  EXPECT_FALSE(mix(screen, 1).mute) << "the grid has the keyboard";
}

TEST(HeadSwitches, TheCardOfTheHeadHasItsToo) {
  Screen screen(*open_document("refer"));
  screen.click("head/3");
  screen.click("head/enabled");
  EXPECT_TRUE(mix(screen, 2).mute);
  screen.click("head/enabled");
  EXPECT_FALSE(mix(screen, 2).mute);
}

// Those of three heads that are not muted: "1 3".
std::string unmuted_heads(const Screen& screen) {
  std::string heads;
  for (std::size_t head = 0; head < 3; ++head)
    if (!mix(screen, head).mute) heads += (heads.empty() ? "" : " ") + std::to_string(head + 1);
  return heads;
}

void shift_click(Screen& screen, const std::string& name) {
  view::compat::feed_key(ImGui::GetIO(), Key::kLeftShift, true);
  screen.click(name);
  view::compat::feed_key(ImGui::GetIO(), Key::kLeftShift, false);
  screen.frames();
}

TEST(SelectedHeads, AreMutedInOneStep) {
  Screen screen(many_heads(3));
  screen.click("head/1");
  shift_click(screen, "head/3");
  screen.key(Key::kM);
  EXPECT_EQ(unmuted_heads(screen), "2");
  screen.key(Key::kZ, true);
  EXPECT_EQ(unmuted_heads(screen), "1 2 3");
  screen.click("head/2");
  screen.key(Key::kM);
  EXPECT_EQ(unmuted_heads(screen), "1 3") << "a click ends the selection";
}

TEST(SelectedHeads, ThatTheLayerHasNoLongerAreForgotten) {
  Screen screen(many_heads(3));
  screen.click("head/1");
  shift_click(screen, "head/3");
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kHeads, 2}});
  screen.frames(2);
  screen.key(Key::kM);
  EXPECT_TRUE(mix(screen, 0).mute);
  EXPECT_FALSE(mix(screen, 1).mute);
}

TEST(SelectedHeads, OfAKeptStateAreNotEdited) {
  Screen screen(many_heads(3));
  screen.key(Key::kEscape);
  screen.key(Key::kD, true);
  screen.workspace.queue(intent::Apply{SetHeadMix{.head = 0, .mute = true}});
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kHeads, 2}});
  screen.frames(2);
  const std::size_t edited = screen.workspace.history().state_id();
  screen.click("compare/a");
  shift_click(screen, "head/3");
  ASSERT_EQ(screen.view.state().heads.chosen.size(), 1U) << "A has three heads";
  screen.key(Key::kM);
  screen.key(Key::kS);
  EXPECT_EQ(screen.workspace.history().state_id(), edited);
}

TEST(HeadMenu, IsNotOpenedWhereNoHeadIsShown) {
  Screen screen(many_heads(3));
  screen.click("head/2");
  screen.view.state().inspection.large = attention::Stage::kWeights;
  screen.frames(2);
  screen.key(Key::kG);
  screen.view.state().inspection.large.reset();
  screen.frames(3);
  EXPECT_FALSE(screen.shows("tile/gain/2")) << "it would come up later";
}

TEST(HeadMenu, OfALayerMadeByHandHasGains) {
  Screen screen(many_heads(3));
  screen.click("head/2");
  screen.key(Key::kG);
  screen.frames(2);
  screen.click("tile/gain/2");
  EXPECT_EQ(mix(screen, 1).scale, 2);
  EXPECT_FALSE(screen.shows("tile/patch")) << "there is no model to patch from";
  screen.click("tile/layer");
  screen.key(Key::kS);
  for (std::size_t head = 0; head < 3; ++head) EXPECT_TRUE(mix(screen, head).solo) << head;
}

TEST(HeadScale, IsTypedInPlace) {
  Screen screen(*open_document("refer"));
  screen.click("head/2");
  screen.click("head/scale");
  screen.key(Key::kA, true);
  screen.type("0.5");
  screen.key(Key::kEnter);
  EXPECT_EQ(mix(screen, 1).scale, 0.5f);
  screen.key(Key::kZ, true);
  EXPECT_EQ(mix(screen, 1).scale, 1);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(HeadScale, EscapeCancelsTheNumber) {
  Screen screen(*open_document("refer"));
  screen.click("head/scale");
  screen.key(Key::kA, true);
  screen.type("7");
  screen.key(Key::kEscape);
  EXPECT_EQ(mix(screen, 0).scale, 1);
  EXPECT_FALSE(screen.view.state().heads.scale_text);
}

TEST(Thumbnails, OfManyHeadsStayReadableAndScroll) {
  for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1600, 1000}}) {
    Screen screen(many_heads(64), size);
    const Rect first = screen.place("head/1");
    EXPECT_GE(first.w, 120);
    EXPECT_GE(first.h, 90);
    EXPECT_FALSE(screen.shows("head/64"));
    screen.move({first.x + 5, first.y + 5});
    compat::feed_scroll(ImGui::GetIO(), {0, -500});
    screen.frames(3);
    EXPECT_TRUE(screen.shows("head/64"));
    for (const std::string& bar : screen.scroll_bars())
      EXPECT_FALSE(bar.find("heads") != bar.npos && bar.ends_with("across")) << bar;
  }
}

TEST(Thumbnails, OfAFewHeadsStandInOneRowWithoutBar) {
  Screen screen(*open_document("refer"));
  EXPECT_EQ(screen.place("head/1").y, screen.place("head/3").y);
  for (const std::string& bar : screen.scroll_bars()) EXPECT_EQ(bar.find("heads"), bar.npos) << bar;
}

TEST(Thumbnails, InTwoRowsHaveNoBarOfTheirOwn) {
  Screen screen(*open_document("refer"), {1600, 1000});
  screen.view.state().scale = 2.4f;
  screen.frames(4);
  ASSERT_LT(screen.place("head/1").y, screen.place("head/3").y);
  for (const std::string& bar : screen.scroll_bars()) EXPECT_EQ(bar.find("heads"), bar.npos) << bar;
}

// The numbers of the heads in the order of their thumbnails.
std::vector<int> shown_order(const Screen& screen, int heads) {
  std::vector<int> order;
  for (int head = 0; head < heads; ++head) order.push_back(head);
  std::ranges::sort(order, [&](int a, int b) {
    const Rect ra = screen.place("head/" + std::to_string(a + 1));
    const Rect rb = screen.place("head/" + std::to_string(b + 1));
    return ra.y != rb.y ? ra.y < rb.y : ra.x < rb.x;
  });
  return order;
}

TEST(HeadOrder, PutsTheLargestFirst) {
  Screen screen(many_heads(6));
  screen.click("menu/order");
  screen.click("heads.by_entropy");
  const std::vector<int> order = shown_order(screen, 6);
  const auto entropy = [&](int head) {
    return attention::mean_entropy(
        *screen.workspace.trace().heads[static_cast<std::size_t>(head)].weights);
  };
  EXPECT_TRUE(std::ranges::is_sorted(order, std::greater(), entropy));
  EXPECT_FALSE(std::ranges::is_sorted(order)) << "not the order of before";
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "it is only looked at";
}

void ctrl_click(Screen& screen, const std::string& name) {
  compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, true);
  screen.click(name);
  compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, false);
  screen.frames();
}

// The heads that are compared: the focused one, the second, the further ones.
std::vector<int> compared(Screen& screen) {
  const ViewState& state = screen.view.state();
  std::vector<int> heads{state.head};
  if (state.heads.view == HeadView::kFocused) return heads;
  heads.push_back(state.heads.second);
  heads.insert(heads.end(), state.heads.further.begin(), state.heads.further.end());
  return heads;
}

TEST(HeadsTogether, CtrlClickComparesOneWithTheFocusedOne) {
  Screen screen(*open_document("refer"));
  ctrl_click(screen, "head/3");
  EXPECT_EQ(screen.view.state().head, 0);
  EXPECT_EQ(screen.view.state().heads.second, 2);
  EXPECT_EQ(screen.view.state().heads.view, HeadView::kDifference);
  EXPECT_TRUE(screen.shows("head/combined"));
  screen.click("head/combined");
  EXPECT_FALSE(screen.shows("head/combined"));
}

TEST(HeadsTogether, TwoSideBySideCanBothBeClicked) {
  Screen screen(*open_document("refer"));
  screen.view.state().heads.view = HeadView::kBeside;
  screen.frames(2);
  const Rect first = screen.place("stage/weights"), second = screen.place("stage/weights/second");
  EXPECT_LE(first.right(), second.x);
  screen.click("stage/weights/second/3/4");
  EXPECT_EQ(screen.view.state().selection.query, 3);
  EXPECT_EQ(screen.view.state().selection.key, 4);
}

TEST(HeadsTogether, EveryStageOfThreeHeadsStandsSideBySide) {
  Screen screen(*open_document("refer"));
  screen.view.state().heads.view = HeadView::kBeside;
  screen.frames(2);
  ctrl_click(screen, "head/3");
  EXPECT_EQ(compared(screen), (std::vector{0, 1, 2}));
  for (const char* stage : {"Q", "scores", "weights", "head_output"}) {
    const std::string name = std::string("stage/") + stage;
    EXPECT_TRUE(screen.shows(name)) << stage;
    EXPECT_TRUE(screen.shows(name + "/second")) << stage;
    EXPECT_TRUE(screen.shows(name + "/head-3")) << stage;
  }
  EXPECT_FALSE(screen.shows("stage/output/second")) << "there is one for all heads";
  const Rect first = screen.place("stage/weights"), third = screen.place("stage/weights/head-3");
  EXPECT_EQ(first.y, third.y) << "in one row, which leaves no place empty";
  EXPECT_GT(first.w, 50);
  ctrl_click(screen, "head/2");
  EXPECT_EQ(compared(screen), (std::vector{0, 2})) << "it was taken away";
}

// Every card that shows one head shows them all, each in its heading and large enough to be seen.
void expect_maps_of_all(Screen& screen, int heads) {
  for (const char* stage : {"Q", "K", "V", "scores", "weights", "head_output"}) {
    screen.view.state().requests.ask(request::BringIntoView{std::string("card/") + stage});
    screen.frames(4);
    const Rect card = screen.place(std::string("card/") + stage);
    std::vector<Rect> maps;
    for (int head = 1; head <= heads; ++head) {
      const std::string name = std::string("stage/") + stage +
                               (head == 1   ? ""
                                : head == 2 ? "/second"
                                            : "/head-" + std::to_string(head));
      ASSERT_TRUE(screen.shows(name)) << name;
      maps.push_back(screen.place(name));
      EXPECT_GE(std::min(maps.back().w, maps.back().h), 6) << name;
      EXPECT_TRUE(maps.back().right() <= card.right() && maps.back().bottom() <= card.bottom());
    }
    for (std::size_t i = 1; i < maps.size(); ++i) {
      const bool apart = maps[i].x >= maps[i - 1].right() || maps[i].y >= maps[i - 1].bottom();
      EXPECT_TRUE(apart) << stage << ", head " << i + 1;
    }
  }
}

TEST(HeadsTogether, ManySideBySideAreWrappedInEveryCard) {
  for (const int heads : {8, 12, 32}) {
    for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 800}}) {
      SCOPED_TRACE(std::to_string(heads) + " heads, " + std::to_string(size.x));
      Screen screen(*open_document("refer"), size);
      screen.workspace.queue(intent::Apply{SetSize{SizeId::kHeads, heads}});
      screen.frames(2);
      screen.key(Key::kEscape);
      for (int i = 1; i < heads; ++i) screen.key(Key::kB);
      screen.frames(2);
      ASSERT_EQ(compared(screen).size(), static_cast<std::size_t>(heads));
      expect_maps_of_all(screen, heads);
    }
  }
}

TEST(HeadsTogether, MapsSideBySideAreZoomedAndMovedAlike) {
  Screen screen(*open_document("refer"));
  screen.view.state().heads.view = HeadView::kBeside;
  screen.frames(2);
  const Rect second = screen.place("stage/scores/second");
  screen.move({second.x + second.w / 2, second.y + second.h / 2});
  compat::feed_scroll(ImGui::GetIO(), {0, 3});
  screen.frames(3);
  const auto& regions = screen.view.state().inspection.regions;
  ASSERT_TRUE(regions.contains(attention::Stage::kScores));
  EXPECT_LT(regions.at(attention::Stage::kScores).w, 1);
  for (const char* name : {"stage/scores/0/0", "stage/scores/second/0/0"})
    EXPECT_FALSE(screen.shows(name)) << name << " is out of sight in both";
}

TEST(HeadsTogether, KeysAddHeadsAndTakeThemAway) {
  Screen screen(many_heads(4));
  screen.key(Key::kEscape);
  for (const std::size_t count : {2u, 3u, 4u, 4u}) {
    screen.key(Key::kB);
    screen.frames(2);
    EXPECT_EQ(compared(screen).size(), count);
    EXPECT_EQ(screen.view.state().heads.view, HeadView::kBeside);
  }
  for (const std::size_t count : {3u, 2u}) {
    screen.key(Key::kB, false, true);
    screen.frames(2);
    EXPECT_EQ(compared(screen).size(), count);
  }
  screen.key(Key::kB, false, true);
  screen.frames(2);
  EXPECT_EQ(screen.view.state().heads.view, HeadView::kFocused);
}

TEST(HeadsTogether, DifferencesAreOfEveryStageAndToEachOfTheOthers) {
  Screen screen(*open_document("refer"));
  screen.view.state().heads.second = 1;
  screen.view.state().heads.further = {2};
  screen.view.state().heads.view = HeadView::kDifference;
  screen.frames(2);
  EXPECT_TRUE(screen.shows("stage/scores"));
  EXPECT_TRUE(screen.shows("stage/scores/second"));
  EXPECT_FALSE(screen.shows("stage/scores/head-3"));
}

TEST(HeadsTogether, AreComputedOnceAndUploadedOnce) {
  for (const HeadView view : {HeadView::kMean, HeadView::kMaximum, HeadView::kDifference,
                              HeadView::kBeside, HeadView::kOverlaid}) {
    Screen screen(many_heads(5));
    screen.view.state().heads.view = view;
    screen.frames(3);
    const auto uploads = screen.sink.uploads();
    screen.frames(5);
    EXPECT_EQ(screen.sink.uploads(), uploads);
  }
}

TEST(HeadsTogether, TheMeanAndTheMaximumLeaveOutMutedHeads) {
  Screen screen(*open_document("refer"));
  screen.click("head/2/mute");
  screen.frames(2);
  const attention::Trace& trace = screen.workspace.trace();
  const auto active = attention::active_heads(screen.document().problem);
  const auto weight = [&](std::size_t head) { return (*trace.heads[head].weights)(7, 1); };
  MetricsCache cache;
  EXPECT_FLOAT_EQ((*cache.mean(trace, active))(7, 1), (weight(0) + weight(2)) / 2);
  EXPECT_FLOAT_EQ((*cache.maximum(trace, active))(7, 1), std::max(weight(0), weight(2)));
}

TEST(HeadsTogether, CardsThatShowTheFocusedHeadBesideAMeanSayWhich) {
  Screen screen(*open_document("refer"));
  const auto say_so = [&screen](const HeadView view) {
    screen.view.state().heads.view = view;
    screen.frames(2);
    int saying = 0;
    for (const char* card : {"explain", "row", "tokens"})
      saying += screen.shows("own_head/" + std::string(card));
    return saying;
  };
  EXPECT_EQ(say_so(HeadView::kFocused), 0);
  EXPECT_EQ(say_so(HeadView::kMean), 3);
  EXPECT_EQ(say_so(HeadView::kMaximum), 3);
  screen.key(Key::kE, true);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("own_head/export")) << "of the maximum, which is no figure";
}

TEST(HeadsTogether, TheMeanThatIsLookedAtIsTheFigureThatIsExported) {
  Screen screen(*open_document("refer"));
  screen.view.state().heads.view = HeadView::kMean;
  screen.frames(2);
  screen.key(Key::kE, true);
  screen.frames(2);
  const DialogState& dialog = screen.view.state().dialog;
  EXPECT_EQ(dialog.exporting.figure.type, FigureType::kMean);
  EXPECT_TRUE(dialog.path.ends_with("weights-mean.png")) << dialog.path;
  EXPECT_FALSE(screen.shows("own_head/export"));
}

TEST(HeadsTogether, OneHeadAloneHasNoSecond) {
  Screen screen(many_heads(1));
  for (const HeadView view : {HeadView::kMean, HeadView::kMaximum, HeadView::kDifference,
                              HeadView::kBeside, HeadView::kOverlaid}) {
    screen.view.state().heads.view = view;
    screen.frames(2);
    EXPECT_TRUE(screen.shows("stage/weights"));
  }
  screen.click("menu/together");
  EXPECT_TRUE(screen.shows("heads.mean"));
}

TEST(HeadsTogether, AreOfferedInTheCardAndInTheMenu) {
  Screen screen(*open_document("refer"));
  for (const char* menu : {"menu/together", "menu/Heads"}) {
    for (const auto& [item, view] :
         {std::pair("heads.beside", HeadView::kBeside),
          std::pair("heads.overlaid", HeadView::kOverlaid),
          std::pair("heads.difference", HeadView::kDifference),
          std::pair("heads.mean", HeadView::kMean), std::pair("heads.maximum", HeadView::kMaximum),
          std::pair("heads.focused", HeadView::kFocused)}) {
      screen.click(menu);
      screen.frames(2);
      screen.click(item);
      EXPECT_EQ(screen.view.state().heads.view, view) << menu << " " << item;
    }
  }
}

TEST(HeadsTogether, AHeadingNamesBothHeadsInANarrowCard) {
  Screen screen(*open_document("refer"));
  for (const HeadView view : {HeadView::kDifference, HeadView::kOverlaid, HeadView::kBeside}) {
    screen.view.state().heads.view = view;
    screen.view.state().heads.second = 1;
    for (const float width : {1600.0f, 1280.0f, 1024.0f}) {
      ImGui::GetIO().DisplaySize.x = width;
      screen.frames(3);
      for (const std::string& text : screen.view.widgets().shortened())
        EXPECT_EQ(text.find("head 1"), text.npos) << text << " at " << width;
    }
  }
}

}  // namespace
}  // namespace lab
