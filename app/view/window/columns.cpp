#include "app/view/window/columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "app/translation/words.h"
#include "app/view/cards/cards_panels.h"
#include "app/view/editor/editor_panels.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/lesson/lesson_frame.h"
#include "app/view/lesson/lesson_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr float kGap = 10;

struct ColumnTab {
  SideTab tab;
  const char* label;
};
constexpr std::array kTabs{ColumnTab{SideTab::kLesson, tr_later("Lesson")},
                           ColumnTab{SideTab::kEdit, tr_later("Model & Edit")},
                           ColumnTab{SideTab::kExplain, tr_later("Explain##card")},
                           ColumnTab{SideTab::kMaps, tr_later("Maps")}};

// One card of a column: nothing of it, and no gap below it, where it has no height.
struct Slot {
  Part part;
  float height = 0;
  void (*draw)(Ui&, const Rect&) = nullptr;
  Ui* ui = nullptr;
};

float column_height(const Ui& ui, std::span<const Slot> slots) {
  float height = 0;
  for (const Slot& slot : slots)
    if (slot.height > 0) height += slot.height + ui.px(kGap);
  return std::max(0.0f, height - ui.px(kGap));
}

void column(Ui& ui, const char* name, const Rect& area, std::span<const Slot> slots) {
  begin_column(name, area);
  Rect place = scrolled(area);
  for (const Slot& slot : slots) {
    if (slot.height <= 0) continue;
    begin_part(ui, slot.part);
    slot.draw(*slot.ui, place.cut_top(slot.height));
    place.cut_top(ui.px(kGap));
  }
  end_column(area, column_height(ui, slots));
}

// What is left of `height` for others beside a card, and the gap between them.
float beside(const Ui& ui, float height) { return height > 0 ? height + ui.px(kGap) : 0; }

// `read` is what is read: the state that is being edited, or the one it is compared with.
void left_column(Ui& ui, Ui& read, const Rect& area) {
  const bool edits = !is_hidden(ui.state, lessons::Panel::kEdit);
  const bool tokens = !is_hidden(ui.state, lessons::Panel::kTokens);
  const float model = is_hidden(ui.state, lessons::Panel::kModel) ? 0 : model_card_height(ui);
  const float tokens_least = tokens ? ui.px(188) : 0, least = ui.px(210);
  const float rest = area.h - beside(ui, model) - (tokens && edits ? ui.px(kGap) : 0);
  // The grid gives way, since it scrolls by itself, before the column has to scroll.
  const float roomy = std::min(std::max(ui.px(360), rest * 0.62f), rest - tokens_least);
  const float edit = std::floor(std::clamp(edit_card_height(ui), least, std::max(least, roomy)));
  const float left = edits ? rest - edit : rest;
  const std::array slots{Slot{Part::kModel, model, model_card, &ui},
                         Slot{Part::kEdit, edits ? edit : 0, edit_card, &ui},
                         Slot{Part::kTokens, tokens ? std::floor(std::max(tokens_least, left)) : 0,
                              tokens_card, &read}};
  column(ui, "left", area, slots);
}

void right_column(Ui& ui, const Rect& area) {
  const bool explains = !is_hidden(ui.state, lessons::Panel::kExplain);
  const float head = is_hidden(ui.state, lessons::Panel::kHead) ? 0 : head_card_height(ui);
  const float moved = moved_card_height(ui), least = ui.px(290);
  const float rest = area.h - beside(ui, moved) - beside(ui, head) - ui.px(kGap);
  const float row_most = std::max(ui.px(200), std::min(rest * 0.5f, rest - least));
  const float row = is_hidden(ui.state, lessons::Panel::kRow)
                        ? 0
                        : std::floor(std::clamp(row_card_height(ui), ui.px(120), row_most));
  const float explain = explains ? std::floor(std::max(least, rest - row)) : 0;
  const std::array slots{
      Slot{Part::kMoved, moved, moved_card, &ui}, Slot{Part::kExplain, explain, explain_card, &ui},
      Slot{Part::kRow, row, row_card, &ui}, Slot{Part::kHead, head, head_card, &ui}};
  column(ui, "right", area, slots);
}

// Cuts the place for it off `area`, where there is an offer.
void offer(Ui& ui, Rect& area) {
  const float height = lesson_is_open(ui.state) ? 0 : lesson_offer_height(ui);
  if (height <= 0) return;
  begin_part(ui, Part::kLesson);
  lesson_offer(ui, area.cut_top(height));
  area.cut_top(ui.px(kGap));
}

// The lesson stays in view above the right column, however that is scrolled.
void lesson_and_right_column(Ui& ui, Ui& read, Rect area) {
  offer(ui, area);
  if (lesson_is_open(ui.state)) {
    begin_part(ui, Part::kLesson);
    constexpr std::array kBelow{lessons::Panel::kExplain, lessons::Panel::kRow,
                                lessons::Panel::kHead};
    const bool alone = std::ranges::all_of(
        kBelow, [&ui](lessons::Panel panel) { return is_hidden(ui.state, panel); });
    lesson_card(ui, area.cut_top(lesson_card_height(ui, area.w, area.h, alone)));
    area.cut_top(ui.px(kGap));
  }
  right_column(read, area);
}

void centre(Ui& ui, Rect area) {
  begin_part(ui, Part::kCompare);
  if (const float bar = compare_bar_height(ui); bar > 0) {
    compare_bar(ui, area.cut_top(bar));
    area.cut_top(ui.px(kGap));
  }
  // A map under the pointer takes the wheel.
  const bool on_map = std::exchange(ui.state.reading.on_map, false);
  begin_column("centre", area, on_map ? ImGuiWindowFlags_NoScrollWithMouse : 0);
  begin_part(ui, Part::kStages);
  if (ui.state.reading.large) {
    stage_card(ui, area, *ui.state.reading.large);
    return end_column(area, 0);
  }
  const Rect place = scrolled(area);
  const std::vector<attention::Stage> stages = shown_stages(ui.problem());
  const int head_rows =
      is_hidden(ui.state, lessons::Panel::kHeads) ? 0 : thumbnail_rows(ui, place.w);
  const CentreLayout layout = centre_layout(place, ui.state.scale, stages, head_rows);
  begin_part(ui, Part::kHeads);
  if (head_rows > 0) heads_card(ui, layout.heads);
  begin_part(ui, Part::kStages);
  for (const auto& [stage, rect] : layout.stages) stage_card(ui, rect, stage);
  end_column(area, layout.height);
}

// A tab for each of `tabs`; the one that is shown is marked.
void column_tabs(Ui& ui, Rect row, std::span<const ColumnTab> tabs) {
  const float gap = ui.px(6), count = static_cast<float>(tabs.size());
  const float width = std::floor((row.w - gap * (count - 1)) / count);
  begin_part(ui, Part::kSides);
  for (const auto& [tab, label] : tabs) {
    const bool active = ui.state.side_tab == tab;
    const std::string id = "side/" + std::to_string(static_cast<int>(tab));
    if (button(ui, id, row.cut_left(width), tr(label),
               active ? ButtonLook::kActive : ButtonLook::kQuiet)) {
      ui.state.side_tab = tab;
    }
    row.cut_left(gap);
  }
}

// The tabs of a narrow window: the lesson's while one is open, the maps' where they have no place
// of their own.
std::vector<ColumnTab> tabs_of(const Ui& ui, const WindowLayout& layout) {
  std::vector<ColumnTab> tabs(kTabs.begin(), kTabs.end());
  if (!layout.single) tabs.pop_back();
  if (!lesson_is_open(ui.state)) tabs.erase(tabs.begin());
  return tabs;
}

// A narrow window shows one side column at a time, and one that is narrower still a single column.
void folded_columns(Ui& ui, Ui& read, const WindowLayout& layout) {
  const std::vector<ColumnTab> tabs = tabs_of(ui, layout);
  SideTab& tab = ui.state.side_tab;
  if (std::ranges::find(tabs, tab, &ColumnTab::tab) == tabs.end()) tab = SideTab::kEdit;
  Rect area = layout.left;
  offer(ui, area);
  column_tabs(ui, area.cut_top(ui.px(28)), tabs);
  area.cut_top(ui.px(8));
  switch (tab) {
    case SideTab::kEdit:
      left_column(ui, read, area);
      break;
    case SideTab::kExplain:
      right_column(read, area);
      break;
    case SideTab::kMaps:
      centre(read, area);
      break;
    case SideTab::kLesson:
      begin_part(ui, Part::kLesson);
      lesson_card(ui, area);
  }
  if (!layout.single) centre(read, layout.centre);
}

// A step that hides the whole left column leaves its place to the maps.
void widen_centre(const Ui& ui, WindowLayout& layout) {
  constexpr std::array kLeft{lessons::Panel::kModel, lessons::Panel::kEdit,
                             lessons::Panel::kTokens};
  const bool empty = std::ranges::all_of(
      kLeft, [&ui](lessons::Panel panel) { return is_hidden(ui.state, panel); });
  if (!empty || layout.folded) return;
  layout.centre.w += layout.centre.x - layout.left.x;
  layout.centre.x = layout.left.x;
}

}  // namespace

// A part of the window that scrolls when `height` is more than `area` has.
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

void draw_columns(Ui& ui, Ui& read, WindowLayout layout) {
  widen_centre(ui, layout);
  if (layout.folded) return folded_columns(ui, read, layout);
  left_column(ui, read, layout.left);
  lesson_and_right_column(ui, read, layout.right);
  centre(read, layout.centre);
}

}  // namespace lab::view
