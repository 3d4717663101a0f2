// A trained model in windows of several sizes and scales.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "app/tests/view/model_screen.h"

namespace lab {
namespace {

// A window of this size, at this scale.
using Size = std::tuple<ImVec2, float>;

bool disjoint(const Rect& a, const Rect& b) {
  constexpr float kRounding = 1;
  return a.right() <= b.x + kRounding || b.right() <= a.x + kRounding ||
         a.bottom() <= b.y + kRounding || b.bottom() <= a.y + kRounding;
}

class ModelSizes : public testing::TestWithParam<Size> {
 protected:
  ModelSizes() : screen("words", "When Mary and John went to the store", std::get<0>(GetParam())) {
    screen.view.state().scale = std::get<1>(GetParam());
    screen.settle();
  }

  void expect_apart(const std::string& prefix) {
    const auto& widgets = screen.view.widgets().widgets();
    for (const auto& [a, place] : widgets) {
      if (!a.starts_with(prefix)) continue;
      EXPECT_LE(place.right(), ImGui::GetIO().DisplaySize.x + 1) << a;
      EXPECT_GE(place.x, 0) << a;
      for (const auto& [b, other] : widgets)
        if (b.starts_with(prefix) && a < b) {
          EXPECT_TRUE(disjoint(place, other)) << a << " is over " << b;
        }
    }
  }

  ModelScreen screen;
};

TEST_P(ModelSizes, NothingIsOverSomethingElse) {
  for (const SideTab tab : {SideTab::kEdit, SideTab::kExplain, SideTab::kMaps}) {
    screen.view.state().side_tab = tab;
    screen.settle();
    expect_apart("panel/");
    expect_apart("til");  // tiles and the buttons of their views
    expect_apart("next/");
  }
}

TEST_P(ModelSizes, TheTilesCanBeReached) {
  screen.view.state().side_tab = SideTab::kMaps;
  screen.settle();
  ASSERT_TRUE(screen.shows("panel/layers"));
  const Rect card = screen.place("panel/layers");
  if (screen.view.state().is_page) return;  // the window scrolls to them
  ASSERT_TRUE(screen.shows("tile/0/0"));
  EXPECT_GE(screen.place("tile/0/0").w, 20 * std::get<float>(GetParam()));
  for (const auto& [name, place] : screen.view.widgets().widgets())
    if (name.starts_with("tile/")) {
      EXPECT_LE(place.right(), card.right()) << name;
      EXPECT_LE(place.bottom(), card.bottom() + 1) << name;
    }
}

std::string size_name_of(const testing::TestParamInfo<Size>& info) {
  const auto& [size, scale] = info.param;
  return std::to_string(static_cast<int>(size.x)) + "_at_" +
         std::to_string(static_cast<int>(100 * scale));
}

INSTANTIATE_TEST_SUITE_P(Window, ModelSizes,
                         testing::Values(Size{{1600, 1000}, 1}, Size{{1024, 640}, 1},
                                         Size{{1600, 1000}, 1.5f}, Size{{1600, 1000}, 3},
                                         Size{{1024, 640}, 3}),
                         size_name_of);

}  // namespace
}  // namespace lab
