#include "app/view/state/selection.h"

#include <algorithm>

#include "app/view/state/layout.h"
#include "core/explain/explain.h"

namespace lab::view {

using attention::Index;
using attention::Stage;

CellBlock block_between(Cell a, Cell b) {
  const auto [top, bottom] = std::minmax(a.row, b.row);
  const auto [left, right] = std::minmax(a.col, b.col);
  return {top, left, bottom - top + 1, right - left + 1};
}

Cell selected_cell(const Selection& selection) {
  if (has_key_columns(selection.stage)) return {selection.query, selection.key};
  if (has_key_rows(selection.stage)) return {selection.key, selection.feature};
  return {selection.query, selection.feature};
}

StageCell selected_stage_cell(const Selection& selection, int head) {
  const Cell cell = selected_cell(selection);
  return {selection.stage, is_per_head(selection.stage) ? head : 0, static_cast<int>(cell.row),
          static_cast<int>(cell.col)};
}

void select_cell(Selection& selection, Stage stage, Cell cell) {
  selection.stage = stage;
  (has_key_rows(stage) ? selection.key : selection.query) = cell.row;
  (has_key_columns(stage) ? selection.key : selection.feature) = cell.col;
}

namespace {

// The stage with the same numbers as one that is no longer active. Inputs can be selected without a
// card.
Stage standing_for(const attention::Problem& problem, Stage stage) {
  if (stage_shape(problem, stage) == attention::Shape{}) return Stage::kWeights;
  const bool input = attention::stage_info(stage).section == attention::StageSection::kInput;
  return input || has_card(problem, stage) ? stage : last_step(problem, stage);
}

}  // namespace

void clamp_selection(Selection& selection, const Document& document, const attention::Trace& trace,
                     Index head) {
  const auto& problem = document.problem;
  const auto clamp = [](Index value, Index count) {
    return std::clamp<Index>(value, 0, std::max<Index>(count - 1, 0));
  };
  selection.query = clamp(selection.query, problem.seq_len());
  selection.key = clamp(selection.key, problem.kv_len());
  selection.stage = standing_for(problem, selection.stage);
  if (!has_key_columns(selection.stage)) {
    const auto shape = stage_matrix(problem, trace, selection.stage, head).shape();
    selection.feature = clamp(selection.feature, shape.cols);
  }
}

}  // namespace lab::view
