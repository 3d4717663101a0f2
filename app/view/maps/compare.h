#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"
#include "core/analysis/combine.h"

// Comparing the present state, B, with one that was kept, A.

namespace lab::view {

/// Keeps the present state as A and shows B, or ends comparing when it is going on.
void toggle_comparing(Ui& ui);
/// Shows A, B or their difference.
void show_compared(Ui& ui, CompareView view);

/// A step of the frame (main_view.cpp), before the panels: takes the key that shows A while it is
/// held, keeps head and selection inside of what is shown, and brings back where the user looked
/// when A goes away.
void follow_compared(ViewState& state, const Workspace& workspace);

/// One stage of one head in both states; null where a state has no such head.
struct ComparedStage {
  const attention::SharedMatrix* a = nullptr;
  const attention::SharedMatrix* b = nullptr;

  /// True when there is a difference cell by cell.
  bool fits() const;
};
/// `stage` of `head`, from 0, in both. Precondition: A was kept.
ComparedStage compared_stage(const Ui& ui, attention::Stage stage, int head);
/// Why there is no difference, in words: "A is 11 × 11, B is 12 × 12".
std::string misfit_text(const ComparedStage& stage);
/// Keeps the textures of `stage` of the focused head for the other views of the comparison, so that
/// going from one to the other uploads nothing.
void keep_compared(Ui& ui, attention::Stage stage);

/// The range of the colours of `stage` of the focused head while A and B are looked at in turn: one
/// that holds both, so that one colour is one number. Nothing when they are not compared.
std::optional<figure::Range> range_of_both(Ui& ui, attention::Stage stage);

/// The range of the colours of the differences in `stage`: the locked one, else the next of 1, 2,
/// 5, 10 … that holds the largest difference, of that stage in any head or of all stages.
figure::Range compared_range(Ui& ui, attention::Stage stage);

/// A cell and by how much it moved.
struct MovedCell {
  attention::Stage stage = attention::Stage::kX;
  int head = 0;
  attention::Moved moved;
};
/// The cells that moved most, over all stages and heads, the farthest first; at most
/// MetricsCache::kMostMoved. Stages that do not fit are left out.
std::vector<MovedCell> most_moved_cells(Ui& ui);

}  // namespace lab::view
