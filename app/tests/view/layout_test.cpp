// The parts of the view that need no frame: layout, actions.
#include "app/view/state/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/document/document.h"
#include "app/figure/compose/label_layout.h"
#include "app/tests/rooms.h"
#include "app/view/actions/actions.h"
#include "app/view/maps/heat_map.h"

namespace lab {
namespace {

bool apart(const Rect& a, const Rect& b) {
  return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

TEST(WindowLayout, FillsTheWindowWithoutOverlap) {
  for (const float scale : {0.75f, 1.0f, 1.5f, 3.0f}) {
    for (const float width : {1024.0f, 1280.0f, 1366.0f, 1600.0f, 2560.0f}) {
      const WindowLayout layout = window_layout(width * scale, 640 * scale, scale);
      const Rect parts[] = {layout.top_bar, layout.sentence, layout.status,
                            layout.left,    layout.centre,   layout.right};
      for (const Rect& a : parts) {
        EXPECT_GE(a.w, 0);
        EXPECT_LE(a.right(), width * scale);
        EXPECT_LE(a.bottom(), 640 * scale);
        for (const Rect& b : parts) EXPECT_TRUE(&a == &b || apart(a, b));
      }
      EXPECT_EQ(layout.folded, width < 1360);
    }
  }
}

using Stages = std::vector<attention::Stage>;

attention::Problem plain_problem() {
  return make_document("one two three", attention::Config{}, 1).problem;
}

TEST(ShownStages, AreTheNineOfPlainAttentionAndEveryOtherStepThatIsOn) {
  using attention::Stage;
  attention::Problem problem = plain_problem();
  const auto has = [&](Stage stage) {
    const Stages stages = shown_stages(problem);
    return std::ranges::find(stages, stage) != stages.end();
  };
  EXPECT_EQ(shown_stages(problem).size(), 9U);
  problem.config.positions = attention::Positions::kSinusoidal;
  EXPECT_TRUE(has(Stage::kPosition) && has(Stage::kX));
  problem.config.positions = attention::Positions::kRotary;
  EXPECT_TRUE(has(Stage::kRotatedQ) && has(Stage::kRotatedK) && !has(Stage::kX));
  problem.config.mask.causal = problem.config.residual = problem.config.layer_norm = true;
  EXPECT_TRUE(has(Stage::kMaskedScores) && has(Stage::kResidual) && has(Stage::kLayerNorm));
  EXPECT_FALSE(has(Stage::kNormedQ) || has(Stage::kNormedK) || has(Stage::kCappedScores));
  problem.config.head_norm = true;
  problem.config.score_cap = 50;
  EXPECT_TRUE(has(Stage::kNormedQ) && has(Stage::kNormedK) && has(Stage::kCappedScores));
}

TEST(CentreLayout, HasEveryStageOnceInReadingOrder) {
  const Stages every(attention::kAllStages.begin(), attention::kAllStages.end());
  for (const Stages& stages : {shown_stages(plain_problem()), every}) {
    for (const float width : {300.0f, 700.0f, 940.0f, 1900.0f}) {
      const CentreLayout layout = centre_layout({0, 0, width, 800}, 1, stages);
      ASSERT_EQ(layout.stages.size(), stages.size());
      for (std::size_t i = 1; i < layout.stages.size(); ++i) {
        const auto& [before, a] = layout.stages[i - 1];
        const auto& [after, b] = layout.stages[i];
        EXPECT_LT(before, after);
        EXPECT_TRUE(b.x >= a.right() || b.y >= a.bottom());
      }
      for (const StageBounds& place : layout.stages) {
        EXPECT_LE(place.rect.right(), width + 0.5f);
        EXPECT_LE(place.rect.bottom(), layout.height + 0.5f);
        EXPECT_TRUE(apart(place.rect, layout.heads));
      }
    }
  }
}

// Comparing takes a bar's height from the cards; the last row must not be cut for it.
TEST(CentreLayout, PlainAttentionFitsWhereItsLeastHeightsDo) {
  for (float height = 740; height < 1400; height += 13) {
    const CentreLayout layout =
        centre_layout({0, 0, 940, height}, 1, shown_stages(plain_problem()));
    EXPECT_LE(layout.height, height);
    EXPECT_GT(layout.height, height - 5) << "and it uses all of it";
  }
}

TEST(Actions, IdsAndShortcutsAreUnique) {
  std::set<std::string_view> ids;
  std::set<std::string> chords;
  for (const Action& action : all_actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    const std::string chord = chord_text(action.chord);
    // Actions with a has_key condition may share a key.
    const std::string keys = chord + (action.has_key ? std::string(action.id) : "");
    EXPECT_TRUE(chord.empty() || chords.insert(keys).second) << chord;
    EXPECT_NE(action.run, nullptr) << action.id;
  }
  EXPECT_EQ(chord_text(action("edit.redo").chord), "Ctrl+Shift+Z");
  EXPECT_THROW(action("no.such"), std::out_of_range);
}

TEST(Seams, VanishWhereColumnsAreNarrowAndNeverHideOne) {
  EXPECT_EQ(seam_width(30, 5), 5);
  EXPECT_EQ(seam_width(1.2f, 5), 0) << "64 heads of 4 columns";
  EXPECT_EQ(seam_width(2.9f, 5), 0);
  for (float cell = 3; cell < 20; cell += 0.5f) {
    EXPECT_GE(seam_width(cell, 5), 1);
    EXPECT_LE(seam_width(cell, 5), cell / 2);
  }
}

TEST(ChosenLabels, ImportantOnesComeFirstAndKeepTheirDistance) {
  const auto places = [](const std::vector<bool>& chosen) {
    std::vector<int> found;
    for (int i = 0; i < std::ssize(chosen); ++i)
      if (chosen[static_cast<std::size_t>(i)]) found.push_back(i);
    return found;
  };
  using Places = std::vector<int>;
  EXPECT_EQ(places(chosen_labels(6, 1, {})), (Places{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(places(chosen_labels(7, 2, {})), (Places{0, 2, 4, 6}));
  EXPECT_EQ(places(chosen_labels(10, 3, {4, 9})), (Places{0, 4, 9}));
  EXPECT_EQ(places(chosen_labels(10, 3, {4, 5, 7})), (Places{0, 4, 7})) << "5 is too near 4";
  EXPECT_EQ(places(chosen_labels(3, 5, {9, -1, 2})), (Places{2}));
  EXPECT_TRUE(chosen_labels(0, 1, {}).empty());
}

}  // namespace
}  // namespace lab
