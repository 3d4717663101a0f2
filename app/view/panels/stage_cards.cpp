#include "app/figure/stage_text.h"
#include "app/view/compare.h"
#include "app/view/file_actions.h"
#include "app/view/heat_map.h"
#include "app/view/panels/panels.h"
#include "app/view/panels/weights_views.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;

// What of this stage goes into the selected cell, or is it.
void mark_selection(const Ui& ui, HeatMap& map) {
  const Selection& selected = ui.state.selection;
  const bool key_rows = has_key_rows(map.stage);
  map.marked_row = key_rows ? selected.key : selected.query;
  if (has_key_columns(map.stage)) {
    map.marked_col = selected.key;
    map.marked_cell = Cell{selected.query, selected.key};
  } else if (map.stage == selected.stage) {
    map.marked_col = selected.feature;
    map.marked_cell = selected_cell(selected);
  }
  if (selected.stage == Stage::kHeadOutput && map.stage == Stage::kV)
    map.framed_col = selected.feature;
}

void set_labels(Ui& ui, HeatMap& map) {
  const Document& document = ui.document();
  const Stage stage = map.stage;
  map.row_label = [&document, stage](Index i) { return row_label(document, stage, i); };
  map.col_label = [&document, stage](Index j) { return column_label(document, stage, j); };
  if (map.stage == Stage::kConcat) map.seam_every = document.problem.config.d_v;
}

void card_menu(Ui& ui, const std::string& id, const Rect& place, Stage stage) {
  if (!begin_popup(ui, id, place)) return;
  if (menu_item(ui, id + "/png", "Save as PNG…")) open_export_dialog(ui, stage);
  if (menu_item(ui, id + "/explain", "Explain the selected cell")) ui.state.selection.stage = stage;
  end_popup();
}

void menu_button(Ui& ui, const Rect& rect, Stage stage) {
  const std::string id = "menu/" + std::string(stage_name(stage));
  const Rect place{rect.right() - ui.px(26), rect.y + ui.px(7), ui.px(20), ui.px(22)};
  if (click_area(ui, id, place)) open_popup(id);
  const bool right_click = ImGui::IsMouseClicked(1) && rect.contains(ImGui::GetIO().MousePos) &&
                           ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (right_click) open_popup(id);
  const Rgb colour = ImGui::IsItemHovered() ? ui.theme.accent : ui.theme.dim;
  for (const float step : {-4.5f, 0.0f, 4.5f}) {
    ui.canvas().AddCircleFilled({place.x + place.w / 2, place.y + place.h / 2 + ui.px(step)},
                                ui.px(1.5f), pack(colour));
  }
  card_menu(ui, id, place, stage);
}

// Puts B − A in the place of the map's matrix; says why where there is no difference.
bool take_difference(Ui& ui, const Rect& content, HeatMap& map) {
  const ComparedStage stage = compared_stage(ui, map.stage, ui.state.head);
  if (!stage.fits()) {
    draw_text(ui, ui.fonts.small, content, misfit_text(stage), ui.theme.dim, TextAlign::kCentre);
    return false;
  }
  map.matrix = ui.derived.difference(*stage.a, *stage.b);
  map.difference = true;
  map.range = compared_range(ui, map.stage);
  return true;
}

}  // namespace

void stage_card(Ui& ui, const Rect& rect, Stage stage) {
  const auto& matrix = stage_matrix(ui.problem(), ui.trace(), stage, ui.state.head);
  const bool active = ui.state.selection.stage == stage;
  const bool differs = ui.state.compare.shows_difference();
  const bool together = stage == Stage::kWeights && shows_heads_together(ui) && !differs;
  const std::string formula = differs    ? "B − A"
                              : together ? weights_view_text(ui)
                                         : stage_formula(ui.problem(), stage);
  Rect content =
      card(ui, rect, stage_title(stage), formula, shape_text(matrix.shape()) + "   ", active);
  ui.name("card/" + std::string(stage_name(stage)), rect);
  menu_button(ui, rect, stage);
  keep_compared(ui, stage);
  HeatMap map;
  map.name = "stage/" + std::string(stage_name(stage));
  map.matrix = matrix;
  map.stage = stage;
  set_labels(ui, map);
  mark_selection(ui, map);
  map.range = range_of_both(ui, stage);
  if (differs && !take_difference(ui, content, map)) return;
  const HeatMapInput input =
      together ? heads_together(ui, content, map) : heat_map(ui, content, map);
  if (input.hovered) ui.state.hovered = HoveredCell{stage, *input.hovered};
  if (input.clicked) select_cell(ui.state.selection, stage, *input.clicked);
}

}  // namespace lab
