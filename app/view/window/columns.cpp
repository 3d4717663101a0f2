#include "app/view/window/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "app/translation/words.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr float kColumnGap = 10;
constexpr float kTabs = 28, kBelowTabs = 8;

// A tab of a narrow window, and the panels behind it.
struct ColumnTab {
  SideTab tab;
  const char* label;
  PanelRegion region;
};
constexpr std::array kColumnTabs{
    ColumnTab{SideTab::kLesson, tr_later("Lesson"), PanelRegion::kLesson},
    ColumnTab{SideTab::kEdit, tr_later("Model & Edit"), PanelRegion::kLeft},
    ColumnTab{SideTab::kExplain, tr_later("Explain##card"), PanelRegion::kRight},
    ColumnTab{SideTab::kMaps, tr_later("Maps"), PanelRegion::kCentre}};

// What the panels of the columns are given: `read` has the state that is shown in place of the
// edited one.
struct Columns {
  Ui& ui;
  Ui& read;
  float page = 0;  // in a window that scrolls as a whole: the height that the panels start from

  Ui& of(const PanelInfo& panel) const { return panel.of_edited ? ui : read; }
  float gap() const { return ui.px(kColumnGap); }
};

std::vector<const PanelInfo*> panels_at(const Columns& columns, PanelRegion region) {
  std::vector<const PanelInfo*> panels;
  for (const PanelInfo* panel : columns.ui.panels)
    if (panel->region == region) panels.push_back(panel);
  return panels;
}

// What the panels want where the whole window scrolls: nothing in them has to.
std::vector<float> page_heights(const Columns& columns, std::span<const PanelInfo* const> panels,
                                Rect column) {
  constexpr float kAnyHeight = 1e5f;
  std::vector<float> heights;
  for (const PanelInfo* panel : panels) {
    Ui& ui = columns.of(*panel);
    column.h = panel->region == PanelRegion::kLesson ? kAnyHeight : columns.page;
    const float preferred = preferred_height(ui, *panel, column);
    heights.push_back(preferred > 0 ? std::max(preferred, ui.px(panel->height.least)) : 0);
  }
  return heights;
}

std::vector<float> heights_of(const Columns& columns, std::span<const PanelInfo* const> panels,
                              const Rect& column) {
  if (columns.page > 0) return page_heights(columns, panels, column);
  std::vector<ColumnSection> sections;
  for (const PanelInfo* panel : panels) {
    const auto& [least, ample, share] = panel->height;
    Ui& ui = columns.of(*panel);
    const float preferred = preferred_height(ui, *panel, column);
    const float reserved =
        share >= 1 && preferred > 0 ? std::max(ui.px(least), preferred) : ui.px(least);
    sections.push_back({preferred, {reserved, ui.px(ample), share}});
  }
  return column_heights(sections, column.h, columns.gap());
}

// Stacks the panels of a region that have a height; returns their total height. There is no gap
// below an absent one.
float stack(const Columns& columns, PanelRegion region, const Rect& column) {
  const std::vector<const PanelInfo*> panels = panels_at(columns, region);
  const std::vector<float> heights = heights_of(columns, panels, column);
  columns.ui.state.column_height = columns.page > 0 ? columns.page : column.h;
  Rect rest = column;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (heights[i] <= 0) continue;
    draw_panel(columns.of(*panels[i]), *panels[i], rest.cut_top(heights[i]));
    rest.cut_top(columns.gap());
  }
  return std::max(0.0f, rest.y - columns.gap() - column.y);
}

// The same height without drawing anything.
float stacked_height(const Columns& columns, PanelRegion region, const Rect& column) {
  float height = 0;
  for (const float one : heights_of(columns, panels_at(columns, region), column))
    height += one > 0 ? one + columns.gap() : 0;
  return std::max(0.0f, height - columns.gap());
}

// The same for the panels of several regions below each other.
float stacked_height(const Columns& columns, std::initializer_list<PanelRegion> regions,
                     const Rect& column) {
  float height = 0;
  for (const PanelRegion region : regions) {
    const float one = stacked_height(columns, region, column);
    height += one > 0 ? one + columns.gap() : 0;
  }
  return std::max(0.0f, height - columns.gap());
}

// The same for panels that stay in view; they are cut off `area`.
void pinned(const Columns& columns, PanelRegion region, Rect& area) {
  const float height = stack(columns, region, area);
  if (height > 0) area.cut_top(height + columns.gap());
}

void scrolling(const Columns& columns, const char* name, PanelRegion region, const Rect& area,
               ImGuiWindowFlags flags = 0) {
  begin_column(name, area, flags);
  end_column(area, stack(columns, region, scrolled(area)));
}

// A map under the pointer handles the wheel, unless it came there because the wheel scrolls: then
// the wheel goes on scrolling until the pointer moves.
bool handles_wheel(Inspection& inspection) {
  const bool on_map = std::exchange(inspection.on_map, false);
  const ImGuiIO& io = ImGui::GetIO();
  const bool moves = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (moves || (io.MouseWheel != 0 && !on_map)) inspection.scrolling = !moves;
  return on_map && !inspection.scrolling;
}

void centre(const Columns& columns, Rect area) {
  pinned(columns, PanelRegion::kAboveCentre, area);
  Inspection& inspection = columns.ui.state.inspection;
  const ImGuiWindowFlags flags = handles_wheel(inspection) ? ImGuiWindowFlags_NoScrollWithMouse : 0;
  if (!inspection.large) return scrolling(columns, "centre", PanelRegion::kCentre, area, flags);
  begin_column("centre", area, flags);
  draw_panel(columns.read, "stages", area);
  end_column(area, 0);
}

void right_column(const Columns& columns, Rect area) {
  pinned(columns, PanelRegion::kAboveRight, area);
  pinned(columns, PanelRegion::kLesson, area);
  scrolling(columns, "right", PanelRegion::kRight, area);
}

// The tabs of a narrow window: the lesson's while one is open, the maps' when they have no column.
std::vector<ColumnTab> tabs_of(const ViewState& state) {
  std::vector<ColumnTab> tabs(kColumnTabs.begin(), kColumnTabs.end());
  if (!state.single_column) tabs.pop_back();
  if (!lesson_is_open(state)) tabs.erase(tabs.begin());
  return tabs;
}

// Draws the tabs and marks the current one.
void column_tabs(Ui& ui, const Rect& rect) {
  const std::vector<ColumnTab> tabs = tabs_of(ui.state);
  const float gap = ui.px(6), count = static_cast<float>(tabs.size());
  const float width = std::floor((rect.w - gap * (count - 1)) / count);
  Rect row = rect;
  for (const auto& [tab, label, region] : tabs) {
    const bool active = ui.state.side_tab == tab;
    const std::string id = "side/" + std::to_string(static_cast<int>(tab));
    if (button(ui, id, row.cut_left(width), tr(label),
               active ? ButtonLook::kActive : ButtonLook::kQuiet)) {
      ui.state.side_tab = tab;
    }
    row.cut_left(gap);
  }
}

// The content of a tab: the lesson's has no other panels and does not scroll.
void tab_content(const Columns& columns, const ColumnTab& tab, const Rect& area) {
  switch (tab.tab) {
    case SideTab::kEdit:
      return scrolling(columns, "left", tab.region, area);
    case SideTab::kExplain:
      return scrolling(columns, "right", tab.region, area);
    case SideTab::kMaps:
      return centre(columns, area);
    case SideTab::kLesson:
      draw_panel(columns.ui, "lesson", area);
  }
}

// A narrow window shows one side column at a time, and an even narrower one a single column.
void folded_columns(const Columns& columns, const WindowLayout& layout) {
  Ui& ui = columns.ui;
  const std::vector<ColumnTab> tabs = tabs_of(ui.state);
  SideTab& shown = ui.state.side_tab;
  if (std::ranges::find(tabs, shown, &ColumnTab::tab) == tabs.end()) shown = SideTab::kEdit;
  Rect area = layout.left;
  pinned(columns, PanelRegion::kAboveRight, area);
  draw_panel(ui, "tabs", area.cut_top(ui.px(kTabs)));
  area.cut_top(ui.px(kBelowTabs));
  const auto tab = std::ranges::find(tabs, shown, &ColumnTab::tab);
  tab_content(columns, *tab, area);
  if (!layout.single) centre(columns, layout.centre);
}

// The height of the maps; an enlarged one fills a window.
float centre_height(const Columns& columns, const Rect& column) {
  const float above = stacked_height(columns, PanelRegion::kAboveCentre, column);
  const float maps = columns.ui.state.inspection.large
                         ? columns.page
                         : stacked_height(columns, PanelRegion::kCentre, column);
  return (above > 0 ? above + columns.gap() : 0) + maps;
}

// The height of the tab that is shown, and of what is above it.
float folded_height(const Columns& columns, const Rect& column) {
  Ui& ui = columns.ui;
  const std::vector<ColumnTab> tabs = tabs_of(ui.state);
  const auto shown = std::ranges::find(tabs, ui.state.side_tab, &ColumnTab::tab);
  const PanelRegion region = shown != tabs.end() ? shown->region : PanelRegion::kLeft;
  const float above = stacked_height(columns, PanelRegion::kAboveRight, column);
  const float content = region == PanelRegion::kCentre ? centre_height(columns, column)
                                                       : stacked_height(columns, region, column);
  return (above > 0 ? above + columns.gap() : 0) + ui.px(kTabs) + ui.px(kBelowTabs) + content;
}

// When a step hides the whole left column, the maps get its space.
void widen_centre(Ui& ui, WindowLayout& layout) {
  if (layout.folded || !is_region_empty(ui, PanelRegion::kLeft, layout.left)) return;
  layout.centre.w += layout.centre.x - layout.left.x;
  layout.centre.x = layout.left.x;
}

// The height of a column from which the cards of a page start.
float page_start(const Ui& ui) { return ui.px(kLeastHeight); }

bool is_present(const ColumnSection& section) { return section.preferred_height > 0; }
bool is_rigid(const ColumnSection& section) {
  return is_present(section) && section.height.share == 0;
}
bool gives_way(const ColumnSection& section) {
  return is_present(section) && section.height.share > 0 && section.height.share < 1;
}
bool fills(const ColumnSection& section) {
  return is_present(section) && section.height.share >= 1;
}

// The height that the rigid parts leave to the others, without the gaps.
float left_to_others(std::span<const ColumnSection> sections, float column, float gap) {
  const auto count = static_cast<float>(std::ranges::count_if(sections, is_present));
  float rest = column - gap * std::max(0.0f, count - 1);
  for (const ColumnSection& section : sections)
    if (is_rigid(section)) rest -= section.preferred_height;
  return rest;
}

}  // namespace

// A part of the window that scrolls when its content is higher than `area`.
void begin_column(const char* name, const Rect& area, ImGuiWindowFlags flags) {
  ImGui::SetCursorScreenPos(area.min());
  compat::begin_child(name, {area.w, area.h}, false, flags);
}

void end_column(const Rect& area, float height) {
  ImGui::SetCursorScreenPos({area.x, area.y - ImGui::GetScrollY()});
  ImGui::Dummy({1, height});
  ImGui::EndChild();
}

Rect scrolled(Rect area) {
  area.y -= ImGui::GetScrollY();
  if (ImGui::GetScrollMaxY() > 0) area.w -= ImGui::GetStyle().ScrollbarSize + 2;
  return area;
}

float columns_height(Ui& ui, Ui& read, WindowLayout layout) {
  const Columns columns{ui, read, page_start(ui)};
  ui.state.single_column = layout.single;
  widen_centre(ui, layout);
  const float side = layout.folded
                         ? folded_height(columns, layout.left)
                         : std::max(stacked_height(columns, PanelRegion::kLeft, layout.left),
                                    stacked_height(columns,
                                                   {PanelRegion::kAboveRight, PanelRegion::kLesson,
                                                    PanelRegion::kRight},
                                                   layout.right));
  if (layout.single) return side;
  return std::max(side, centre_height(columns, layout.centre));
}

void draw_columns(Ui& ui, Ui& read, WindowLayout layout) {
  const Columns columns{ui, read, ui.state.is_page ? page_start(ui) : 0};
  ui.state.single_column = layout.single;
  widen_centre(ui, layout);
  if (layout.folded) return folded_columns(columns, layout);
  scrolling(columns, "left", PanelRegion::kLeft, layout.left);
  right_column(columns, layout.right);
  centre(columns, layout.centre);
}

extern constexpr PanelInfo kTabsPanel{
    .name = "tabs", .region = PanelRegion::kTabs, .draw = column_tabs, .of_edited = true};

std::vector<float> column_heights(std::span<const ColumnSection> sections, float column,
                                  float gap) {
  const float rest = left_to_others(sections, column, gap);
  float left = rest, reserved = 0;  // the least heights of the remaining parts
  for (const ColumnSection& section : sections)
    if (gives_way(section) || fills(section)) reserved += section.height.least;
  std::vector<float> heights;
  for (const ColumnSection& section : sections) {
    heights.push_back(is_rigid(section) ? section.preferred_height : 0);
    if (!gives_way(section)) continue;
    const auto& [least, ample, share] = section.height;
    reserved -= least;
    const float most = std::min(std::max(ample, rest * share), left - reserved);
    heights.back() = std::floor(std::min(section.preferred_height, std::max(least, most)));
    left -= heights.back();
  }
  const auto sharing = static_cast<float>(std::ranges::count_if(sections, fills));
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (fills(sections[i]))
      heights[i] = std::floor(std::max(sections[i].height.least, left / sharing));
  return heights;
}

}  // namespace lab::view
