#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/actions/map_actions.h"
#include "app/view/cards/heads_views.h"
#include "app/view/cards/stage_card.h"
#include "app/view/cards/zoom_button.h"
#include "app/view/editor/override_edit.h"
#include "app/view/editor/row_from_a.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/figure_actions.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/map_reading.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/solving/answer.h"
#include "app/view/solving/answer_drag.h"
#include "app/view/state/layout.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::Stage;

// Marks the part of this stage that contributes to the selected cell, or is it.
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
  const bool values = map.stage == Stage::kV || map.stage == Stage::kNormedV;
  if (selected.stage == Stage::kHeadOutput && values) map.framed_col = selected.feature;
}

void set_labels(Ui& ui, HeatMap& map) {
  const Document& document = ui.document();
  const Stage stage = map.stage;
  map.row_label = [&document, stage](Index i) { return row_label(document, stage, i); };
  map.col_label = [&document, stage](Index j) { return column_label(document, stage, j); };
  map.row_is_of_template = [&document, stage](Index i) {
    return row_is_of_template(document, stage, i);
  };
  map.col_is_of_template = [&document, stage](Index j) {
    return column_is_of_template(document, stage, j);
  };
  if (map.stage == Stage::kConcat) map.seam_every = document.problem.config.d_v;
}

void override_items(Ui& ui, const std::string& id, Stage stage) {
  const bool input = input_of(ui.problem(), stage).has_value();
  const std::string change =
      input ? tr("Edit the selected cell…") : tr("Override the selected cell…");
  if (menu_item(ui, id + "/override", change, tr("Enter"))) {
    ui.select_stage(stage);
    start_override(ui);
  }
  const Action& drag = action("explain.drag_answer");
  if (menu_item(ui, id + "/drag_answer", tr(drag.name), tr("Alt + drag"), false,
                !is_input(stage))) {
    ui.select_stage(stage);
    open_answer(ui);
  }
  if (ui.state.compare.a &&
      menu_item(ui, id + "/row_from_a", tr("Take the selected row from A"), {}, false,
                ui.state.selection.stage == stage && can_take_row(ui)))
    take_row_from_a(ui);
  const bool here = ui.state.selection.stage == stage && is_overridden(ui);
  if (menu_item(ui, id + "/compute", tr("Remove its override"), tr("Delete##the key"), false, here))
    remove_override(ui);
}

void card_menu(Ui& ui, const std::string& id, const Rect& bounds, Stage stage) {
  if (!begin_popup(ui, id, bounds)) return;
  const Action &large = action("view.large"), &whole = action("view.zoom_reset");
  if (menu_item(ui, id + "/view.large", tr(large.name), chord_text(large.chord), is_large(ui)))
    toggle_large(ui, stage);
  const auto zoom = ui.state.inspection.regions.find(stage);
  const bool zoomed = zoom != ui.state.inspection.regions.end() && !zoom->second.whole();
  if (menu_item(ui, id + "/view.zoom_reset", tr(whole.name), chord_text(whole.chord), false,
                zoomed))
    whole.run(ui);
  if (menu_item(ui, id + "/range", tr("Colour range…")))
    ui.state.requests.ask(request::OpenPopup{range_menu_of(stage)});
  ImGui::Separator();
  if (menu_item(ui, id + "/copy", tr("Copy picture"),
                chord_text(action("edit.copy_picture").chord))) {
    ui.select_stage(stage);
    copy_card_picture(ui);
  }
  if (menu_item(ui, id + "/png", tr("Save as a picture…"))) save_as_figure(ui, stage);
  if (menu_item(ui, id + "/explain", tr("Explain the selected cell"))) {
    ui.select_stage(stage);
    ui.state.side_tab = SideTab::kExplain;
  }
  override_items(ui, id, stage);
  end_popup();
}

void menu_button(Ui& ui, const Rect& rect, Stage stage) {
  const std::string id = "menu/" + std::string(stage_name(stage));
  const Rect bounds{rect.right() - ui.px(22), rect.y + ui.px(7), ui.px(20), ui.px(22)};
  if (more_button(ui, id, bounds)) open_popup(id);
  const bool right_click = ImGui::IsMouseClicked(1) && rect.contains(ImGui::GetIO().MousePos) &&
                           ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (right_click) open_popup(id);
  card_menu(ui, id, bounds, stage);
}

// Two corners that point outwards, or inwards when the card is enlarged.
void draw_corners(Ui& ui, const Rect& bounds, figure::Rgb colour, bool inwards) {
  const float arm = ui.px(5), near = ui.px(inwards ? 1.5f : 5), thick = std::max(1.2f, ui.px(1.5f));
  const ImVec2 middle{bounds.x + bounds.w / 2, bounds.y + bounds.h / 2};
  for (const float side : {-1.0f, 1.0f}) {
    const ImVec2 corner{middle.x - side * near, middle.y + side * near};
    const float along = inwards ? -arm : arm;
    const ImVec2 points[] = {
        {corner.x + side * along, corner.y}, corner, {corner.x, corner.y - side * along}};
    ui.canvas().AddPolyline(points, 3, pack(colour), 0, thick);
  }
}

// A click on the heading focuses the card; a double click, or its button, enlarges it or restores
// its size.
void large_button(Ui& ui, const Rect& rect, Stage stage) {
  const std::string name = std::string(stage_name(stage));
  const Rect bounds{rect.right() - ui.px(38), rect.y + ui.px(7), ui.px(17), ui.px(22)};
  const Rect title{rect.x, rect.y, rect.w - ui.px(43), ui.px(30)};
  pointer_area(ui, "title/" + name, title);
  if (ImGui::IsItemClicked()) ui.select_stage(stage);
  const bool titled = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  const bool pressed = click_area(ui, "large/" + name, bounds);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.accent : ui.theme.dim;
  draw_corners(ui, bounds, colour, is_large(ui));
  tooltip(ui, is_large(ui) ? tr("Normal size   Esc") : tr("Large   double-click the title, or L"));
  if (titled || pressed) toggle_large(ui, stage);
}

// The width of a card's heading without what can be left out.
float title_width(const Ui& ui, const std::string& title) {
  return text_width(ui, ui.fonts.bold, title) + ui.px(kStageButtons + 40);
}

// The rows and columns of words that A lacks stay empty.
void leave_out_words_of_b(const Ui& ui, HeatMap& map) {
  for (Index i = 0; i < map.matrix->rows(); ++i)
    if (cell_of_a(ui, map.stage, {i, 0}).row < 0) map.missing_rows.push_back(i);
  for (Index j = 0; j < map.matrix->cols(); ++j)
    if (cell_of_a(ui, map.stage, {0, j}).col < 0) map.missing_cols.push_back(j);
}

// Replaces the map's matrix with B − A; shows the reason when there is no difference.
bool replace_by_difference(Ui& ui, const Rect& content, HeatMap& map) {
  const ComparedStage stage = compared_stage(ui, map.stage, ui.state.head);
  if (!stage.fits()) {
    draw_text(ui, ui.fonts.small, content, mismatch_text(stage), ui.theme.dim, TextAlign::kCentre);
    return false;
  }
  map.matrix = ui.metrics.difference(a_by_words_of_b(ui, stage), *stage.b);
  leave_out_words_of_b(ui, map);
  map.difference = true;
  const figure::Spread spread = map.range->spread;
  map.range = compared_range(ui, map.stage);
  map.range->spread = spread;
  return true;
}

// The heading of the card; of the large one, beside which no card names the head, with the head.
std::string card_title(const Ui& ui, Stage stage, bool together) {
  std::string title = explain::stage_title(stage);
  if (!is_large(ui) || together || !is_per_head(stage)) return title;
  return title + " · " + head_title(ui.document(), ui.state.head);
}

// Dragging the answer takes the pointer; what is being typed elsewhere is committed first.
void read_or_drag(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  if (ImGui::IsItemActivated() && begins_answer(ui, map, input)) leave_field(ui);
  if (drag_answer(ui, map, input)) return;
  read_map(ui, map, input);
  drag_row_to_b(ui, map, input);
}

}  // namespace

void stage_card(Ui& ui, const Rect& rect, Stage stage) {
  const auto& matrix = stage_matrix(ui.problem(), ui.trace(), stage, ui.state.head);
  const bool active = ui.state.selection.stage == stage;
  const bool differs = ui.state.compare.shows_difference();
  const bool sensitivity = shows_sensitivity(ui);
  const bool together = shows_heads_together(ui, stage) && !differs && !sensitivity;
  const std::string title = card_title(ui, stage, together);
  const float heads = together ? formula_width(ui, short_heads_view_text(ui)) : 0;
  const ZoomNote zoom =
      zoom_note(ui, stage, matrix.shape(), rect.w - title_width(ui, title) - heads);
  const std::string formula =
      differs
          ? "B − A"
          : card_caption(ui, stage, together, rect.w - (sensitivity || together ? zoom.width : 0));
  const bool fits = rect.w > title_width(ui, title) + formula_width(ui, formula) + zoom.width;
  const bool zoomed = !zoom.text.empty();
  Rect content = card(ui, rect, title, zoomed && !fits && !together ? "" : formula,
                      zoomed ? "" : explain::shape_text(matrix.shape()), active,
                      ui.px(kStageButtons) + zoom.width);
  ui.name("card/" + std::string(stage_name(stage)), rect);
  zoom_button(ui,
              {rect.right() - ui.px(kStageButtons + 11) - zoom.width, rect.y + ui.px(7), zoom.width,
               ui.px(22)},
              stage, zoom);
  large_button(ui, rect, stage);
  menu_button(ui, rect, stage);
  keep_compared(ui, stage);
  HeatMap map;
  map.name = "stage/" + std::string(stage_name(stage));
  map.matrix = matrix;
  map.stage = stage;
  set_labels(ui, map);
  mark_selection(ui, map);
  map.overridden = overridden_cells(ui, stage);
  map.range = range_of_both(ui, stage);
  prepare_map(ui, map);
  if (differs && !replace_by_difference(ui, content, map)) return;
  if (sensitivity) show_sensitivity(ui, map, ui.state.head);
  const HeatMapInput input =
      together ? heads_together(ui, content, map) : heat_map(ui, content, map);
  if (!together) read_or_drag(ui, map, input);
  range_menu(ui, input.bar, stage);
  if (together && input.plot.w <= 0) return;
  const bool opens = ImGui::IsMouseDoubleClicked(0) && !ImGui::GetIO().KeyCtrl;
  if (input.hovered && opens) start_override(ui);
  override_field(ui, input.whole, stage, matrix.shape());
}

namespace {

// They share the whole height of the column, even when the heads take a part of it.
CentreLayout layout_of(const Ui& ui, const Rect& rect, float column) {
  return centre_layout({rect.x, rect.y, rect.w, column}, ui.state.scale, shown_stages(ui.problem()),
                       0);
}

float stage_cards_height(Ui& ui, const Rect& column) {
  return layout_of(ui, column, column.h).height;
}

void stage_cards(Ui& ui, const Rect& rect) {
  if (ui.state.inspection.large) return stage_card(ui, rect, *ui.state.inspection.large);
  for (const auto& [stage, bounds] : layout_of(ui, rect, ui.state.column_height).stages)
    stage_card(ui, bounds, stage);
}

}  // namespace

extern constexpr PanelInfo kStagesPanel{
    .name = "stages",
    .region = PanelRegion::kCentre,
    .draw = stage_cards,
    .preferred_height = stage_cards_height,
    .entrance =
        [](const ViewState& state) {
          return "stage/" + std::string(stage_name(state.selection.stage));
        },
    .has_keys = [](const ViewState& state) { return state.overriding.focused; },
    .widgets = "card/ stage/"};

}  // namespace lab::view
