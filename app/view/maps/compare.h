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

/// A step of the frame (main_view.cpp), before the panels: of a trained model, A shows the layer
/// that B shows; handles the key that shows A while it is held, keeps head and
/// selection within what is shown, and restores them when A disappears.
void follow_compared(ViewState& state, const Workspace& workspace);

/// Keeps head and selection within the kept state where `ui` shows it: keys and panels before may
/// have chosen what only B has.
void keep_within_shown(const Ui& ui);

/// True when A and B have the same words at the same positions.
bool has_same_words(const Ui& ui);
/// The cell of A with the words of `cell` of B, and the other way round; −1 for a row or column
/// whose word only one of them has.
Cell cell_of_a(const Ui& ui, attention::Stage stage, Cell cell);
/// The cell of B with the words of `cell` of A.
Cell cell_of_b(const Ui& ui, attention::Stage stage, Cell cell);
/// True when both states have the row and the column of that cell.
inline bool is_in_both(Cell cell) { return cell.row >= 0 && cell.col >= 0; }
/// Where a cell of B is in what is shown, which may be A; nothing when A lacks its words.
std::optional<Cell> shown_cell(const Ui& ui, attention::Stage stage, Cell cell);
/// Which words only one of both has: "only in A: was · only in B: Now"; empty when there are none.
std::string different_words(const Ui& ui);

/// One stage of one head in both states; null where a state has no such head.
struct ComparedStage {
  attention::Stage stage = attention::Stage::kX;
  const attention::SharedMatrix* a = nullptr;
  const attention::SharedMatrix* b = nullptr;
  bool share_cells = false;  ///< some cell stands for the same in both

  /// True when both have numbers.
  bool exist() const;
  /// True when numbers of the same words and features can be subtracted.
  bool fits() const { return exist() && share_cells; }
};
/// `stage` of `head`, from 0, in both. Precondition: A was kept.
ComparedStage compared_stage(const Ui& ui, attention::Stage stage, int head);
/// A by the words of B (see aligned_to_b); A itself when both have the same words. Precondition:
/// the stage fits.
const attention::SharedMatrix& a_by_words_of_b(Ui& ui, const ComparedStage& stage);
/// Why there is no difference, as text: "A is 11 × 8, B is 12 × 16".
std::string mismatch_text(const ComparedStage& stage);
/// True when some stage of some head can be subtracted.
bool can_subtract(const Ui& ui);
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
  attention::DifferenceCell moved;
};
/// The cells that changed most, over all stages and heads, the largest change first; at most
/// MetricsCache::kMostMoved. Stages of different shapes are left out.
std::vector<MovedCell> most_moved_cells(Ui& ui);

}  // namespace lab::view
