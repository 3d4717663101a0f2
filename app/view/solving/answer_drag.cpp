#include "app/view/solving/answer_drag.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/view/solving/answer.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/dragged.h"
#include "core/layer/dropout.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr float kWholeRange = 200;  // points of the way over all values of the stage
constexpr float kAnswerFine = 0.1f, kAnswerCoarse = 10, kAnswerThreshold = 3;
constexpr float kNearLimit = 1e-3f;  // of the values that are reached only in the limit

StageCell pointed_cell(const Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const Cell cell = cell_at(input.whole, map.matrix.shape(), ImGui::GetIO().MousePos);
  return {map.stage, is_per_head(map.stage) ? ui.state.head : 0, static_cast<int>(cell.row),
          static_cast<int>(cell.col)};
}

float size_of_values(const attention::Matrix& matrix) {
  float largest = 0;
  for (const float value : matrix.reshaped())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest : 1;
}

// Values that a stage has only in the limit are not asked for.
float within_limits(const attention::Config& config, Stage stage, float value) {
  if (attention::holds_weights(stage)) {
    const float whole = stage == Stage::kDroppedWeights ? attention::dropout_factor(config) : 1.0f;
    return std::clamp(value, kNearLimit * whole, (1 - kNearLimit) * whole);
  }
  const float cap = config.score_cap;
  if (stage != Stage::kCappedScores || cap == 0) return value;
  return std::clamp(value, -(1 - kNearLimit) * cap, (1 - kNearLimit) * cap);
}

void press_answer(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const StageCell cell = pointed_cell(ui, map, input);
  select_cell(ui.state.selection, cell.stage, {cell.row, cell.col});
  open_answer(ui);
  SolveState& solve = ui.state.solve;
  solve.pressed = true;
  solve.dragging = false;
  solve.run.reset();
  solve.problem.clear();
  solve.start_y = ImGui::GetIO().MousePos.y;
  solve.start_value = answer_value(ui);
}

float dragged_value(const Ui& ui, const HeatMap& map) {
  const SolveState& solve = ui.state.solve;
  const ImGuiIO& io = ImGui::GetIO();
  const float factor = io.KeyShift ? kAnswerFine : io.KeyCtrl ? kAnswerCoarse : 1.0f;
  const float range = attention::holds_weights(map.stage) ? 1 : size_of_values(*map.matrix);
  const float points = (solve.start_y - io.MousePos.y) / ui.state.scale;
  const float value = solve.start_value + points * factor * range / kWholeRange;
  return within_limits(ui.problem().config, map.stage, value);
}

void move_answer(Ui& ui, const HeatMap& map) {
  SolveState& solve = ui.state.solve;
  const float pixels = std::abs(solve.start_y - ImGui::GetIO().MousePos.y);
  if (!solve.dragging && pixels < ui.px(kAnswerThreshold)) return;
  const bool first = !std::exchange(solve.dragging, true);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const float value = dragged_value(ui, map);
  if (first || value != solve.wanted) preview_answer(ui, value);
}

}  // namespace

bool begins_answer(const Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  if (input.plot.w <= 0 || !ui.state.compare.shows_edited() || is_given(map.stage)) return false;
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyAlt || (!io.KeyCtrl && is_answer(ui, pointed_cell(ui, map, input)));
}

bool drag_answer(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  SolveState& solve = ui.state.solve;
  if (ImGui::IsItemActivated() && begins_answer(ui, map, input)) press_answer(ui, map, input);
  if (!solve.pressed || solve.target.stage != map.stage) return false;
  if (compat::key_pressed(Key::kEscape, false)) {  // with Alt it is no shortcut
    solve.pressed = solve.dragging = false;
    solve.run.reset();
    ui.queue(intent::Cancel{});
    return true;
  }
  const bool released = ImGui::IsItemDeactivated();
  if (ImGui::IsItemActive() || released) move_answer(ui, map);
  if (released) {
    if (solve.dragging) commit_answer(ui);
    solve.pressed = solve.dragging = false;
  } else if (solve.dragging) {
    show_dragged(ui, ui.number(solve.wanted));
  }
  return true;
}

}  // namespace lab::view
