#include "app/view/actions/map_actions.h"

#include <algorithm>
#include <array>

#include "app/explain/explain_copy.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/actions/action_records.h"
#include "app/view/actions/actions.h"
#include "app/view/editor/edit_block.h"
#include "app/view/maps/map_reading.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/navigation.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/state/layout.h"

namespace lab::view {
namespace {

using attention::Stage;

constexpr int kLeastCopied = 4;  // decimals
constexpr float kActionZoomStep = 1.5f;

explain::CopiedExplanation explanation(const Ui& ui) {
  const Stage stage = ui.state.selection.stage;
  const auto [row, col] = selected_cell(ui.state.selection);
  const int head = ui.state.head;
  const float value = (*stage_matrix(ui.problem(), ui.trace(), stage, head))(row, col);
  const explain::Decimals decimals{std::max(ui.state.digits, kLeastCopied)};
  auto lines = explain::explain_lines(ui.document(), ui.trace(), stage, head, row, col, decimals);
  return {explain::cell_title(ui.document(), stage, row, col),
          explain::number_in(lines.back(), value),
          explain::cell_meaning(ui.document(), stage, head, row, col), std::move(lines)};
}

void zoom(Ui& ui, float factor) {
  const Stage stage = ui.state.selection.stage;
  const attention::Shape shape = stage_shape(ui.problem(), stage);
  const Cell cell = selected_cell(ui.state.selection);
  files::MatrixRegion& region = ui.state.inspection.regions[stage];
  const auto share = [](attention::Index i, attention::Index count, float start, float length) {
    return ((static_cast<float>(i) + 0.5f) / static_cast<float>(count) - start) / length;
  };
  const ImVec2 at{share(cell.col, shape.cols, region.x, region.w),
                  share(cell.row, shape.rows, region.y, region.h)};
  region = zoomed(region, factor, at, shape);
}

void copy_map_block(Ui& ui, const StageBlock& block) {
  const auto& matrix = *stage_matrix(ui.problem(), ui.trace(), block.stage, ui.state.head);
  const CellBlock box = block_between(block.from, block.to);
  copy_numbers(ui, matrix.block(box.row, box.col, box.rows, box.cols));
}

bool asks_for_sensitivity(const Ui& ui) { return ui.state.sensitivity.on; }
bool holds_question(const Ui& ui) { return ui.state.sensitivity.on && ui.state.sensitivity.held; }
void toggle_held(Ui& ui) { ui.state.sensitivity.held = !ui.state.sensitivity.held; }

const std::array kSensitivityActions{
    Action{"explain.moves", "Explain", "What moves this?", plain(Key::kW), nullptr,
           asks_for_sensitivity, toggle_sensitivity}
        .found_by("sensitivity gradient derivative saliency influence why change")
        .below_line(),
    Action{"explain.hold", "Explain", "Keep the question while selecting", shift(Key::kW),
           asks_for_sensitivity, holds_question, toggle_held}
        .found_by("sensitivity gradient hold lock pin look around"),
    Action{"explain.moves_cell", "Explain", "What moves the selected cell?", kNoChord, nullptr,
           nullptr, ask_about_selected}
        .found_by("sensitivity gradient derivative saliency influence"),
    Action{"explain.moves_answer", "Explain", "What moves the answer?", kNoChord, has_model,
           nullptr, ask_about_answer}
        .found_by("sensitivity gradient derivative saliency logit model token"),
};

}  // namespace

void copy_explanation_text(Ui& ui) {
  ImGui::SetClipboardText(explain::explanation_text(explanation(ui)).c_str());
  ui.state.notice = tr("Copied the explanation");
}

void copy_explanation_latex(Ui& ui) {
  ImGui::SetClipboardText(explain::explanation_latex(explanation(ui)).c_str());
  ui.state.notice = tr("Copied the explanation as LaTeX");
}

void pin_selected(Ui& ui) { toggle_pin(ui, selected_ref(ui)); }

bool can_dismiss(const Ui& ui) {
  const Inspection& inspection = ui.state.inspection;
  return inspection.large || inspection.block || !inspection.pins.empty() ||
         ui.state.sensitivity.on;
}

void dismiss(Ui& ui) {
  Inspection& inspection = ui.state.inspection;
  if (inspection.large) return inspection.large.reset();
  if (ui.state.sensitivity.on) return toggle_sensitivity(ui);
  inspection.pins.clear();
  inspection.block.reset();
}

void toggle_large(Ui& ui) {
  auto& large = ui.state.inspection.large;
  if (large) return large.reset();
  const std::vector<Stage> stages = shown_stages(ui.problem());
  const Stage selected = ui.state.selection.stage;
  const bool has_card = std::ranges::find(stages, selected) != stages.end();
  large = has_card ? selected : Stage::kWeights;
}

void toggle_large(Ui& ui, Stage stage) {
  ui.select_stage(stage);
  toggle_large(ui);
}

bool is_large(const Ui& ui) { return ui.state.inspection.large.has_value(); }

void zoom_in(Ui& ui) { zoom(ui, kActionZoomStep); }
void zoom_out(Ui& ui) { zoom(ui, 1 / kActionZoomStep); }
void reset_zoom(Ui& ui) { ui.state.inspection.regions.clear(); }

bool is_zoomed(const Ui& ui) {
  return std::ranges::any_of(ui.state.inspection.regions,
                             [](const auto& region) { return !region.second.whole(); });
}

bool copies_cells(const Ui& ui) {
  return grid_has_keys(ui) || (ui.state.inspection.block && keys_are_free(ui));
}

void copy_cells(Ui& ui) {
  const auto& block = ui.state.inspection.block;
  if (block && !ui.state.edit.focused) return copy_map_block(ui, *block);
  copy_block(ui);
}

bool copies_picture(const Ui& ui) { return keys_are_free(ui) && !copies_cells(ui); }

std::span<const Action> sensitivity_actions() { return kSensitivityActions; }

}  // namespace lab::view
