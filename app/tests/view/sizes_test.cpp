// The window at large scales, and the position of tooltips.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "app/files/open.h"
#include "app/files/opened_model.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/state/layout.h"

namespace lab {
namespace {

TEST(Explain, ShowsItsResultWithTheLongNamesOfRotaryPositions) {
  Screen screen(*open_document("refer"), {1600, 1000});
  screen.workspace.queue(intent::Apply{SetPositions{.type = attention::Positions::kRotary}});
  screen.frames(4);
  for (const std::string& bar : screen.scroll_bars())
    EXPECT_EQ(bar.find("explain"), bar.npos) << bar;
}

// The window at a large scale: every part is present, wide enough, and can be scrolled to.
class LargeScale : public testing::TestWithParam<std::tuple<float, ImVec2>> {
 protected:
  LargeScale() : screen(*open_document("refer"), std::get<1>(GetParam())) {
    screen.view.state().scale = std::get<0>(GetParam());
    screen.frames(4);
  }
  float pt(float points) const { return points * std::get<0>(GetParam()); }
  Screen screen;
};

TEST_P(LargeScale, NoColumnIsCutOff) {
  for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain, SideTab::kMaps}) {
    screen.view.state().side_tab = tab;
    screen.frames(3);
    const bool single = screen.shows("side/2");
    const char* parts[] = {"model/d_model", "side/1", "head/1"};
    const bool shown[] = {tab == SideTab::kEdit, true, !single || tab == SideTab::kMaps};
    for (int i = 0; i < 3; ++i) {
      if (!shown[i] || (i == 0 && !screen.shows(parts[i]))) continue;
      ASSERT_TRUE(screen.shows(parts[i])) << parts[i];
      const Rect place = screen.place(parts[i]);
      EXPECT_LE(place.right(), ImGui::GetIO().DisplaySize.x);
      EXPECT_GT(place.w, pt(20)) << parts[i];
    }
    if (shown[2]) {
      EXPECT_GT(screen.place("head/1").w, pt(120));
    }
  }
}

TEST_P(LargeScale, TheSentenceKeepsRoom) { EXPECT_GT(screen.place("sentence").w, pt(150)); }

TEST_P(LargeScale, ALowWindowScrollsAsAWhole) {
  const float least = pt(kLeastHeight);
  const auto bars = screen.scroll_bars();
  const bool scrolls = std::ranges::any_of(
      bars, [](const std::string& name) { return name.find("/all_") != std::string::npos; });
  EXPECT_EQ(scrolls, ImGui::GetIO().DisplaySize.y < least);
}

TEST_P(LargeScale, APageHasOneScrollBarAndReachesItsEnd) {
  if (ImGui::GetIO().DisplaySize.y >= pt(kLeastHeight)) return;
  for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain, SideTab::kMaps}) {
    screen.view.state().side_tab = tab;
    screen.frames(4);
    int down = 0;
    for (const std::string& name : screen.scroll_bars()) {
      if (!name.ends_with(" down")) continue;
      const auto page = name.find("/all_");
      EXPECT_TRUE(page != name.npos && name.find('/', page + 1) == name.npos) << name;
      ++down;
    }
    EXPECT_EQ(down, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LargeScale,
                         testing::Combine(testing::Values(2.3f, 2.6f, 3.0f),
                                          testing::Values(ImVec2{1600, 1000}, ImVec2{1024, 640})));

// A tooltip does not cover its widget.
TEST(Tooltips, AreAsHighAsTheirLines) {
  Screen screen(open_model_source("induction", "abcabc").value().document);
  screen.frames(20);
  const Rect tile = screen.place("tile/0/1");
  screen.move({tile.x + tile.w / 2, tile.y + tile.h / 2});
  screen.frames(4);
  const ImGuiWindow* const window = ImGui::FindWindowByName("##Tooltip_00");
  ASSERT_NE(window, nullptr);
  EXPECT_GE(window->Size.y, std::floor(screen.place("tooltip").h)) << "its last line is cut off";
}

TEST(Tooltips, AreBesideTheirWidgets) {
  Screen screen(*open_document("refer"));
  int seen = 0;
  const auto widgets = screen.view.widgets().widgets();
  for (const auto& [name, rect] : widgets) {
    screen.move({rect.x + rect.w / 2, rect.y + rect.h / 2});
    screen.frames(2);
    if (!screen.shows("tooltip") || !screen.shows(name)) continue;
    const Rect tip = screen.place("tooltip");
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    EXPECT_FALSE(tip.contains(pointer)) << name;
    EXPECT_GE(tip.x, 0) << name;
    EXPECT_GE(tip.y, 0) << name;
    EXPECT_LE(tip.right(), 1601) << name;
    EXPECT_LE(tip.bottom(), 1001) << name;
    ++seen;
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace lab
