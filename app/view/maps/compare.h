#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"
#include "core/analysis/combine.h"

// Comparing the current state, B, with a kept one, A.

namespace lab::view {

/// Keeps the current state as A and shows B, or ends the comparison.
void toggle_comparing(Ui& ui);
/// Shows A, B or their difference.
void show_compared(Ui& ui, CompareView view);

/// A step of the frame (main_view.cpp), before the panels: handles the key that shows A while it is
/// held, keeps head and selection within what is shown, and restores them when A disappears.
void follow_compared(ViewState& state, const Workspace& workspace);

/// One stage of one head in both states; null where a state has no such head.
struct ComparedStage {
  const attention::SharedMatrix* a = nullptr;
  const attention::SharedMatrix* b = nullptr;

  /// True when they can be subtracted cell by cell.
  bool fits() const;
};
/// `stage` of `head`, from 0, in both. Precondition: A was kept.
ComparedStage compared_stage(const Ui& ui, attention::Stage stage, int head);
/// Why there is no difference, as text: "A is 11 × 11, B is 12 × 12".
std::string mismatch_text(const ComparedStage& stage);
/// Keeps the textures of `stage` of the focused head for the other views of the comparison, so that
/// switching between them uploads nothing.
void keep_compared(Ui& ui, attention::Stage stage);

/// The colour range of `stage` of the focused head while A and B are shown in turn: one that covers
/// both, so that a colour means the same number in both. Nothing when they are not compared.
std::optional<figure::Range> range_of_both(Ui& ui, attention::Stage stage);

/// The colour range of the differences in `stage`: the locked one, otherwise the next of 1, 2, 5,
/// 10 … that covers the largest difference, of that stage in any head or of all stages.
figure::Range compared_range(Ui& ui, attention::Stage stage);

/// A cell and how much it changed.
struct MovedCell {
  attention::Stage stage = attention::Stage::kX;
  int head = 0;
  attention::Moved moved;
};
/// The cells that changed most, over all stages and heads, the largest change first; at most
/// MetricsCache::kMostMoved. Stages of different shapes are left out.
std::vector<MovedCell> most_moved_cells(Ui& ui);

}  // namespace lab::view
