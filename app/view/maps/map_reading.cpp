#include "app/view/maps/map_reading.h"

#include <algorithm>
#include <cmath>

#include "app/figure/compose/range.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/map_ranges.h"
#include "app/view/maps/navigation.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {
namespace {

using attention::CellRef;
using attention::Index;
using attention::Shape;
using attention::Stage;

constexpr float kWheelZoomStep = 1.25f;
constexpr float kWheelStep = 60;        // pixels that the column scrolls instead
constexpr float kMapDragThreshold = 4;  // pixels before a press is a drag

std::vector<Cell> pins_of(const Ui& ui, Stage stage) {
  std::vector<Cell> cells;
  for (const CellRef& pin : ui.state.inspection.pins) {
    if (pin.matrix != stage_name(stage)) continue;
    if (is_per_head(stage) && pin.head != ui.state.head) continue;
    if (const auto cell = shown_cell(ui, stage, {pin.row, pin.col})) cells.push_back(*cell);
  }
  return cells;
}

void zoom_or_scroll(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel == 0 || ui.state.inspection.scrolling) return;
  if (wheel < 0 && map.region.whole()) {  // it is not zoomed in
    compat::scroll_by(-wheel * ui.px(kWheelStep));
    return;
  }
  // Takes the keyboard from Edit, unless a number is being typed there.
  if (!ui.state.edit.typing) ui.state.edit.focused = false;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 at{(mouse.x - input.plot.x) / input.plot.w, (mouse.y - input.plot.y) / input.plot.h};
  ui.state.inspection.regions[map.stage] =
      zoomed(map.region, std::pow(kWheelZoomStep, wheel), at, map.matrix.shape());
}

void drag_map(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  const ImGuiIO& io = ImGui::GetIO();
  Inspection& inspection = ui.state.inspection;
  if (inspection.block && inspection.selecting) {
    inspection.block->to = cell_at(input.whole, map.matrix.shape(), io.MousePos);
  } else if (is_map_dragged(ui) && !map.region.whole()) {
    inspection.regions[map.stage] =
        panned(map.region, {io.MouseDelta.x / input.plot.w, io.MouseDelta.y / input.plot.h});
  }
}

void press_map(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  Inspection& inspection = ui.state.inspection;
  const Cell cell = cell_at(input.whole, map.matrix.shape(), ImGui::GetIO().MousePos);
  inspection.selecting = ImGui::GetIO().KeyShift;
  inspection.block.reset();
  if (inspection.selecting) inspection.block = StageBlock{map.stage, cell, cell};
}

// Pins belong to B, also while A is shown.
void pin_shown(Ui& ui, Stage stage, Cell cell) {
  const Cell there = ui.kept == nullptr ? cell : cell_of_b(ui, stage, cell);
  if (is_in_both(there)) toggle_pin(ui, cell_ref(ui, stage, there));
}

void click_map(Ui& ui, const HeatMap& map, Cell cell) {
  // Shows its arithmetic, unless that would replace the map itself or a lesson.
  if (ui.state.side_tab == SideTab::kEdit) ui.state.side_tab = SideTab::kExplain;
  if (ui.state.inspection.selecting || (is_map_dragged(ui) && !map.region.whole())) return;
  if (ImGui::GetIO().KeyCtrl) return pin_shown(ui, map.stage, cell);
  select_cell(ui.state.selection, map.stage, cell);
  ui.give_keys_to_stage();
}

void point_at_map(Ui& ui, const HeatMap& map, Cell cell) {
  ui.state.hovered = HoveredCell{map.stage, cell};
  point_at(ui, cell_ref(ui, map.stage, cell));
  ui.state.inspection.on_map = true;
}

Cell moved(Cell cell, Index rows, Index cols, Shape shape) {
  return {std::clamp<Index>(cell.row + rows, 0, shape.rows - 1),
          std::clamp<Index>(cell.col + cols, 0, shape.cols - 1)};
}

void extend_block(Inspection& inspection, Stage stage, Cell start, Index rows, Index cols,
                  Shape shape) {
  if (!inspection.block || inspection.block->stage != stage)
    inspection.block = {stage, start, start};
  inspection.block->to = moved(inspection.block->to, rows, cols, shape);
}

// The block where its corners are in what is shown; nothing when A lacks one of them.
std::optional<CellBlock> shown_block(const Ui& ui, const StageBlock& block) {
  const auto from = shown_cell(ui, block.stage, block.from);
  const auto to = shown_cell(ui, block.stage, block.to);
  return from && to ? std::optional(block_between(*from, *to)) : std::nullopt;
}

constexpr float kFewestCells = 2;

float inside(float start, float length) { return std::clamp(start, 0.0f, 1 - length); }

struct Side {
  float start, length;
};

Side zoomed_side(Side side, float factor, float at, Index cells) {
  const float least = std::min(1.0f, kFewestCells / static_cast<float>(cells));
  const float length = std::clamp(side.length / factor, least, 1.0f);
  return {inside(side.start + at * (side.length - length), length), length};
}

float visible_start(Side side, Index cell, Index cells) {
  const float one = 1 / static_cast<float>(cells), first = static_cast<float>(cell) * one;
  return inside(std::clamp(side.start, first + one - side.length, first), side.length);
}

}  // namespace

bool is_map_dragged(const Ui& ui) {
  // Dear ImGui no longer measures drags in the frame in which the button is released.
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = ui.px(kMapDragThreshold);
  const float x = io.MousePos.x - io.MouseClickedPos[0].x;
  const float y = io.MousePos.y - io.MouseClickedPos[0].y;
  return std::max(io.MouseDragMaxDistanceSqr[0], x * x + y * y) > threshold * threshold;
}

void prepare_map(Ui& ui, HeatMap& map) {
  Inspection& inspection = ui.state.inspection;
  map.highlight = highlight_boxes(ui, map.stage);
  map.pinned = pins_of(ui, map.stage);
  if (const auto& block = inspection.block; block && block->stage == map.stage)
    map.block = shown_block(ui, *block);
  const auto region = inspection.regions.find(map.stage);
  if (region != inspection.regions.end()) map.region = region->second;
  figure::Range range = shown_range(ui, map.stage);
  const bool automatic = ui.state.inspection.ranges.of(map.stage).ends == RangeEnds::kAutomatic;
  map.range = automatic && map.range ? figure::united(range, *map.range) : range;
  map.range_notes = range_notes(ui, map.stage, *map.range);
}

void enter_map(Ui& ui, Stage stage) {
  ui.select_stage(stage);
  ui.give_keys_to_stage();
  go_inside(ui, Inside::kCells);
}

void read_map(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  if (input.plot.w <= 0) return;
  if (ImGui::IsItemActivated()) press_map(ui, map, input);
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) drag_map(ui, map, input);
  if (input.entered) enter_map(ui, map.stage);
  if (!input.hovered) return;
  point_at_map(ui, map, *input.hovered);
  zoom_or_scroll(ui, map, input);
  if (input.clicked) click_map(ui, map, *input.clicked);
}

void show_selection(Ui& ui) {
  for (auto& [stage, region] : ui.state.inspection.regions) {
    Selection there = ui.state.selection;
    there.stage = stage;
    region = showing(region, selected_cell(there), stage_shape(ui.problem(), stage));
  }
}

void read_other_map(Ui& ui, const HeatMap& map, const HeatMapInput& input) {
  if (input.plot.w <= 0) return;
  if (ImGui::IsItemActivated()) press_map(ui, map, input);
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) drag_map(ui, map, input);
  if (input.entered) {
    ui.select_stage(map.stage);
    go_inside(ui, Inside::kCells);
  }
  if (!input.hovered) return;
  ui.state.hovered = HoveredCell{map.stage, *input.hovered};
  ui.state.inspection.on_map = true;
  zoom_or_scroll(ui, map, input);
  const bool dragged = is_map_dragged(ui) && !map.region.whole();
  if (input.clicked && !ui.state.inspection.selecting && !dragged)
    select_cell(ui.state.selection, map.stage, *input.clicked);
}

void move_selected_cell(Ui& ui, Index rows, Index cols, bool extend) {
  Inspection& inspection = ui.state.inspection;
  const Stage stage = ui.state.selection.stage;
  const Shape shape = stage_shape(ui.problem(), stage);
  const Cell selected = selected_cell(ui.state.selection);
  if (extend) {
    extend_block(inspection, stage, selected, rows, cols, shape);
  } else {
    inspection.block.reset();
    select_cell(ui.state.selection, stage, moved(selected, rows, cols, shape));
  }
  const Cell seen = extend ? inspection.block->to : selected_cell(ui.state.selection);
  if (const auto region = inspection.regions.find(stage); region != inspection.regions.end())
    region->second = showing(region->second, seen, shape);
}

files::MatrixRegion zoomed(const files::MatrixRegion& region, float factor, ImVec2 at,
                           attention::Shape shape) {
  const Side x = zoomed_side({region.x, region.w}, factor, at.x, shape.cols);
  const Side y = zoomed_side({region.y, region.h}, factor, at.y, shape.rows);
  return {x.start, y.start, x.length, y.length};
}

files::MatrixRegion panned(const files::MatrixRegion& region, ImVec2 by) {
  return {inside(region.x - by.x * region.w, region.w),
          inside(region.y - by.y * region.h, region.h), region.w, region.h};
}

files::MatrixRegion showing(const files::MatrixRegion& region, Cell cell, attention::Shape shape) {
  return {visible_start({region.x, region.w}, cell.col, shape.cols),
          visible_start({region.y, region.h}, cell.row, shape.rows), region.w, region.h};
}

}  // namespace lab::view
