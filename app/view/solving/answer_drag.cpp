#include "app/view/solving/answer_drag.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/view/solving/answer.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"
#include "core/config.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr float kWholeRange = 200;  // points of the way over all values of the stage
constexpr float kLogitRange = 5;    // of logits
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

// The pointer on the way along which the value grows, in pixels.
float up_to_now() { return -ImGui::GetIO().MousePos.y; }
float right_and_up_to_now() { return ImGui::GetIO().MousePos.x - ImGui::GetIO().MousePos.y; }

void press_target(Ui& ui, float at) {
  SolveState& solve = ui.state.solve;
  solve.pressed = true;
  solve.dragging = false;
  solve.run.reset();
  solve.problem.clear();
  solve.start_at = at;
  solve.start_value = answer_value(ui);
}

void press_answer(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const StageCell cell = pointed_cell(ui, map, input);
  select_cell(ui.state.selection, cell.stage, {cell.row, cell.col});
  open_answer(ui);
  press_target(ui, up_to_now());
}

// The value after the way that the pointer has gone, where kWholeRange points are `range`.
float value_after(const Ui& ui, float at, float range) {
  const SolveState& solve = ui.state.solve;
  const ImGuiIO& io = ImGui::GetIO();
  const float factor = io.KeyShift ? kAnswerFine : io.KeyCtrl ? kAnswerCoarse : 1.0f;
  const float points = (at - solve.start_at) / ui.state.scale;
  return solve.start_value + points * factor * range / kWholeRange;
}

float dragged_value(const Ui& ui, const HeatMap& map) {
  const float range = attention::holds_weights(map.stage) ? 1 : size_of_values(*map.matrix);
  return within_limits(ui.problem().config, map.stage, value_after(ui, up_to_now(), range));
}

// Escape ends dragging, also with Alt, where it is no shortcut.
bool ends_by_escape(Ui& ui) {
  if (!compat::key_pressed(Key::kEscape, false)) return false;
  SolveState& solve = ui.state.solve;
  solve.pressed = solve.dragging = false;
  solve.escaped = solve.logit;
  solve.run.reset();
  ui.queue(intent::Cancel{});
  return true;
}

void move_target(Ui& ui, float at, float value) {
  SolveState& solve = ui.state.solve;
  if (!solve.dragging && std::abs(at - solve.start_at) < ui.px(kAnswerThreshold)) return;
  const bool first = !std::exchange(solve.dragging, true);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  if (first || value != solve.target_value) preview_answer(ui, value);
}

// Follows the pointer while the button is down on the last item, and when it is released.
void follow_pointer(Ui& ui, float at, float value) {
  if (ends_by_escape(ui)) return;
  SolveState& solve = ui.state.solve;
  const bool released = ImGui::IsItemDeactivated();
  if (ImGui::IsItemActive() || released) move_target(ui, at, value);
  if (released) {
    if (solve.dragging) commit_answer(ui);
    solve.pressed = solve.dragging = false;
  } else if (solve.dragging) {
    show_dragged(ui, ui.number(solve.target_value));
  }
}

}  // namespace

bool begins_answer(const Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  if (input.plot.w <= 0 || !ui.state.compare.shows_edited() || is_input(map.stage)) return false;
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyAlt || (!io.KeyCtrl && is_answer(ui, pointed_cell(ui, map, input)));
}

bool drag_answer(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const SolveState& solve = ui.state.solve;
  if (ImGui::IsItemActivated() && begins_answer(ui, map, input)) press_answer(ui, map, input);
  if (!solve.pressed || solve.logit || solve.target.stage != map.stage) return false;
  follow_pointer(ui, up_to_now(), dragged_value(ui, map));
  return true;
}

bool drag_logit(Ui& ui, const attention::network::Answer& answer) {
  SolveState& solve = ui.state.solve;
  if (solve.escaped == answer) {  // what is left of the press is no click
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) solve.escaped.reset();
    return true;
  }
  const bool open = solve.open && solve.logit == answer;
  const bool begins = ImGui::GetIO().KeyAlt || (open && !ImGui::GetIO().KeyCtrl);
  if (ImGui::IsItemActivated() && begins && can_drag_logit(ui)) {
    open_logit(ui, answer);
    press_target(ui, right_and_up_to_now());
  }
  if (!solve.pressed || solve.logit != answer) return false;
  const float at = right_and_up_to_now();
  follow_pointer(ui, at, value_after(ui, at, kLogitRange));
  return true;
}

}  // namespace lab::view
