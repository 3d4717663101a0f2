#include "app/view/editor/override_edit.h"

#include <algorithm>

#include "app/translation/words.h"
#include "app/view/editor/cell_editor.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/maps/heat_map.h"
#include "app/view/maps/model_heads.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {

using attention::Stage;

namespace {

// The head under which overrides of `stage` are stored: the first of those that share keys and
// values.
attention::Index head_of(const Ui& ui, Stage stage) {
  if (!is_per_head(stage)) return 0;
  if (!is_per_kv_head(stage)) return ui.state.head;
  const auto& config = ui.problem().config;
  return ui.state.head - ui.state.head % heads_per_kv_head(config);
}

void preview_override(Ui& ui) {
  const OverrideState& overriding = ui.state.overriding;
  preview_typed(ui, *overriding.typing,
                [&](float value) { return type_over(ui, overriding.target, value); });
}

void handle_typing(Ui& ui) {
  if (ImGui::IsMouseClicked(0)) return leave_field(ui);
  if (edit_number_text(*ui.state.overriding.typing, ui.state.overriding.selected))
    preview_override(ui);
  if (compat::key_pressed(Key::kEscape, false)) {
    cancel_pending(ui);
  } else if (compat::enter_pressed() || compat::key_pressed(Key::kTab, false)) {
    commit_pending(ui);
  }
}

bool opening_key_pressed() {
  return compat::enter_pressed() || compat::key_pressed(Key::kF2, false);
}

// Digits and letters remain shortcuts, so that no stray key changes a computed number.
void handle_cell_keys(Ui& ui) {
  if (compat::key_pressed(Key::kDelete, false) || compat::key_pressed(Key::kBackspace, false)) {
    if (is_overridden(ui)) remove_override(ui);
  } else if (opening_key_pressed()) {
    start_override(ui);
  }
}

}  // namespace

bool can_override(const Ui& ui) { return ui.state.compare.shows_edited(); }

std::optional<MatrixId> input_of(const attention::Problem& problem, Stage stage) {
  switch (stage) {
    case Stage::kX:
      return is_active(problem, stage) ? std::nullopt : std::optional(MatrixId::kX);
    case Stage::kXKv:
      return is_active(problem, stage) ? std::nullopt : std::optional(MatrixId::kXKv);
    case Stage::kEmbedding:
      return MatrixId::kX;
    case Stage::kEmbeddingKv:
      return MatrixId::kXKv;
    default:
      return std::nullopt;
  }
}

Command type_over(const Ui& ui, const StageCell& cell, float value) {
  const auto input = input_of(ui.problem(), cell.stage);
  if (input) return SetCell{{*input, 0}, cell.row, cell.col, value};
  return SetOverride{cell, value};
}

bool is_overridden(const Ui& ui) {
  const StageCell cell = selected_stage_cell(ui.state.selection, ui.state.head);
  return attention::is_overridden(ui.problem(), cell.stage, cell.head, cell.row, cell.col);
}

std::vector<Cell> overridden_cells(const Ui& ui, Stage stage) {
  std::vector<Cell> cells;
  for (const attention::Override& one : ui.problem().overrides) {
    if (one.stage == stage && one.head == head_of(ui, stage)) cells.push_back({one.row, one.col});
  }
  return cells;
}

void handle_override_keys(Ui& ui) {
  OverrideState& overriding = ui.state.overriding;
  if (ui.state.dialog.open != Dialog::kNone || popup_has_keys(ui)) return;
  if (overriding.typing) return handle_typing(ui);
  // A click on a cell gives it the keys again when the button is released.
  if (ImGui::IsMouseClicked(0) || compat::key_pressed(Key::kEscape, false))
    overriding.focused = false;
  if (compat::text_field_has_keys() || is_dragging(ui)) return;
  if (ui.state.present.on) {
    if (opening_key_pressed() && !ui.state.keyboard_focus.has_keys) start_override(ui);
  } else if (overriding.focused) {
    handle_cell_keys(ui);
  }
}

void start_override(Ui& ui) {
  OverrideState& overriding = ui.state.overriding;
  if (!can_override(ui)) return;
  overriding.focused = true;
  overriding.target = selected_stage_cell(ui.state.selection, ui.state.head);
  const auto& [stage, head, row, col] = overriding.target;
  const auto& matrix = stage_matrix(ui.problem(), ui.trace(), stage, head);
  overriding.offered = editable_text((*matrix)(row, col));
  overriding.typing = overriding.offered;
  overriding.selected = true;
}

void remove_override(Ui& ui) {
  ui.queue(intent::Apply{RemoveOverride{selected_stage_cell(ui.state.selection, ui.state.head)}});
}

std::vector<attention::Override> listed_overrides(const Ui& ui) {
  std::vector<attention::Override> list = ui.problem().overrides;
  const ModelDocument* const model = shown_model(ui);
  if (model == nullptr) return list;
  std::erase_if(list, [&](const attention::Override& one) {
    return std::ranges::any_of(model->interventions.patches, [&](const auto& patch) {
      return patch.at == ui.document().layer.at && patch.head == one.head &&
             patch.stage == one.stage;
    });
  });
  return list;
}

void clear_overrides(Ui& ui) {
  const auto list = listed_overrides(ui);
  if (list.size() == ui.problem().overrides.size())
    return ui.queue(intent::Apply{ClearOverrides{}});
  for (const attention::Override& one : list) {
    const StageCell cell{one.stage, static_cast<int>(one.head), static_cast<int>(one.row),
                         static_cast<int>(one.col)};
    ui.queue(intent::Apply{
        RemoveOverride{cell}, {}, {}, [] { return tr("Remove all overrides"); }, key_of_step(ui)});
  }
}

bool has_overrides(const Ui& ui) { return !listed_overrides(ui).empty(); }

void override_field(Ui& ui, const Rect& plot, Stage stage, attention::Shape shape) {
  const OverrideState& overriding = ui.state.overriding;
  if (!overriding.typing || overriding.target.stage != stage) return;
  const Cell cell{overriding.target.row, overriding.target.col};
  if (cell.row >= shape.rows || cell.col >= shape.cols) return;
  cell_field(ui, cell_rect(plot, shape, cell), *overriding.typing, overriding.selected);
}

}  // namespace lab::view
