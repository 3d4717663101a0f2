// Where the keyboard focus goes from a widget.
#include "app/view/focus/focus_moves.h"
#include "app/tests/rooms.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(FocusMoves, LeadToTheNearestWidgetInFront) {
  constexpr int kModel = 3, kEdit = 4, kRow = 12;  // panels
  const std::vector<FocusTarget> targets{
      {kModel, "a", {0, 0, 10, 10}, {}},  {kModel, "far", {90, 0, 10, 10}, {}},
      {kModel, "b", {20, 2, 10, 10}, {}}, {kModel, "below", {2, 30, 10, 10}, {}},
      {kModel, "in_a", {7, 1, 2, 2}, {}}, {kEdit, "other", {12, 0, 5, 10}, {}}};
  EXPECT_EQ(target_beside(targets, targets[0], 1, 0)->name, "b");
  EXPECT_EQ(target_beside(targets, targets[0], 0, 1)->name, "below");
  EXPECT_EQ(target_beside(targets, targets[0], -1, 0), nullptr);
  EXPECT_EQ(target_beside(targets, targets[2], 1, 0)->name, "far");
  EXPECT_EQ(target_after(targets, targets[0], -1)->name, "other") << "round the ends";
  EXPECT_EQ(target_after(targets, {kRow, "gone", {}, {}}, 1)->name, "a");
  EXPECT_EQ(panel_after(targets, kEdit, 1)->name, "a");
  EXPECT_EQ(panel_after(targets, kModel, -1)->name, "other");
  EXPECT_EQ(panel_after({}, kModel, 1), nullptr);
}

}  // namespace
}  // namespace lab
