// The registered panels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/lessons/lesson_names.h"
#include "app/lessons/model/model_edits.h"
#include "app/tests/rooms.h"
#include "app/tests/view/keyboard.h"
#include "app/tests/view/model_screen.h"
#include "app/view/state/panel.h"
#include "app/view/window/columns.h"
#include "app/view/window/window_panels.h"

namespace lab {
namespace {

using testing::ElementsAre;

// Creates every condition for optional panels: a comparison, an offer, an answer that is dragged.
void make_all_requested(Screen& screen) {
  screen.key(Key::kD, true);
  screen.view.state().lesson.offered = true;
  screen.view.state().solve.open = true;
  screen.frames(2);
}

TEST(PanelTable, NamesArePlainAndUnique) {
  std::set<std::string_view> names;
  for (const PanelInfo* panel : all_panels()) {
    EXPECT_EQ(panel->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << panel->name;
    EXPECT_TRUE(names.insert(panel->name).second) << panel->name << " is there twice";
    EXPECT_NE(panel->draw, nullptr) << panel->name;
  }
}

TEST(PanelTable, HeightsAreSane) {
  for (const PanelInfo* panel : all_panels()) {
    const auto& [least, ample, share] = panel->height;
    EXPECT_GE(least, 0) << panel->name;
    EXPECT_TRUE(ample == 0 || ample >= least) << panel->name;
    EXPECT_TRUE(share >= 0 && share <= 1) << panel->name;
    EXPECT_TRUE(share == 0 || least > 0) << panel->name << " could vanish";
    const bool in_column = panel->region == PanelRegion::kLeft ||
                           panel->region == PanelRegion::kRight ||
                           panel->region == PanelRegion::kCentre;
    EXPECT_TRUE(!in_column || panel->preferred_height != nullptr || share == 1) << panel->name;
  }
}

// Collects the panels that the window shows, each of which must have a place.
void collect_shown(const Screen& screen, std::set<std::string>& shown) {
  for (const PanelInfo* panel : all_panels()) {
    const std::string name = "panel/" + std::string(panel->name);
    if (!screen.shows(name)) continue;
    EXPECT_GT(screen.place(name).w, 0) << name;
    EXPECT_GT(screen.place(name).h, 0) << name;
    shown.insert(std::string(panel->name));
  }
}

TEST(PanelTable, EachIsDrawn) {
  std::set<std::string> shown;
  for (const ImVec2 size : {ImVec2{1600, 1600}, ImVec2{1024, 700}}) {
    Screen screen(*open_document("refer"), size);
    make_all_requested(screen);
    screen.view.state().sensitivity.on = true;
    screen.frames(2);
    collect_shown(screen, shown);
    screen.view.state().requests.ask(request::Leave{destination::Source{"query-key-value"}});
    screen.frames(4);
    collect_shown(screen, shown);
  }
  ModelScreen trained("induction", "abcdabc", {1600, 2000});
  trained.workspace.queue(intent::Apply{SetHeadMix{.head = 1, .mute = true}});
  trained.view.state().sensitivity = {.on = true, .answer = true, .cell = {}, .at = {}};
  trained.settle();
  collect_shown(trained, shown);
  Screen learning(open_lesson_training({"train:repeat"}).value(), {1600, 2000});
  learning.frames(2);
  collect_shown(learning, shown);
  for (const PanelInfo* panel : all_panels())
    EXPECT_TRUE(shown.contains(std::string(panel->name))) << panel->name;
}

// Hides the panels that the window has, one for one step after the other. Returns their number.
std::size_t hide_each(Screen& screen) {
  std::size_t hidden = 0;
  for (const std::string_view name : lessons::hideable_panels()) {
    const std::string widget = "panel/" + std::string(name);
    if (!screen.shows(widget)) continue;
    screen.view.state().lesson.view.hidden = {std::string(name)};
    screen.frames(2);
    EXPECT_FALSE(screen.shows(widget)) << widget;
    screen.view.state().lesson.view.hidden.clear();
    screen.frames(2);
    ++hidden;
  }
  return hidden;
}

// "model" and "heads" belong to a layer made by hand; "network", "layers" and "next_token" to a
// trained model; five more to one that is trained here.
TEST(PanelTable, LessonsHideRegisteredPanels) {
  {
    Screen by_hand(*open_document("refer"));
    by_hand.frames(2);
    EXPECT_EQ(hide_each(by_hand), lessons::hideable_panels().size() - 3 - 5);
  }
  ModelScreen trained;
  trained.frames(2);
  EXPECT_EQ(hide_each(trained), lessons::hideable_panels().size() - 2 - 5);
}

TEST_F(Keyboard, F6GoesThroughThePanelsInTheirOrder) {
  make_all_requested(screen);
  apply(SetTemperature{2});  // so that something has changed
  screen.key(Key::kF6);
  std::vector<std::string> reached{panel_with_focus()};
  std::set<std::string> shown;  // on the way: columns scroll to the panel that is reached
  for (std::size_t i = 0; i < all_panels().size() + 1; ++i) {
    for (const PanelInfo* panel : all_panels())
      if (screen.shows("panel/" + std::string(panel->name))) shown.emplace(panel->name);
    screen.key(Key::kF6);
    if (panel_with_focus() == reached.front()) break;
    reached.push_back(panel_with_focus());
  }
  std::ranges::rotate(reached, std::ranges::find(reached, "top_bar"));
  std::vector<std::string> expected;
  for (const PanelInfo* panel : all_panels()) {
    const bool has_widgets = shown.contains(std::string(panel->name)) &&
                             panel->region != PanelRegion::kTabs && panel->name != "status" &&
                             panel->region != PanelRegion::kLesson;
    if (has_widgets) expected.emplace_back(panel->name);
  }
  EXPECT_EQ(reached, expected);
}

TEST(ColumnHeights, FlexiblePartsShrinkBeforeTheColumnScrolls) {
  const ColumnSection rigid{100, {}}, absent{0, {}}, fills{50, {50, 0, 1}};
  const ColumnSection gives{400, {80, 0, 0.5f}};
  EXPECT_THAT(column_heights(std::array{rigid, absent, gives, fills}, 620, 10),
              ElementsAre(100, 0, 250, 250));
  EXPECT_THAT(column_heights(std::array{rigid, gives, fills}, 320, 10), ElementsAre(100, 100, 100));
  EXPECT_THAT(column_heights(std::array{rigid, gives, fills}, 100, 10), ElementsAre(100, 80, 50))
      << "no one gets less than its least";
  EXPECT_THAT(column_heights(std::array{fills, fills}, 210, 10), ElementsAre(100, 100));
  EXPECT_THAT(column_heights(std::array{absent}, 210, 10), ElementsAre(0));
}

}  // namespace
}  // namespace lab
