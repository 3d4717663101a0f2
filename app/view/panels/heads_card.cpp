#include <algorithm>

#include "app/view/heads.h"
#include "app/view/imgui_compat.h"
#include "app/view/panels/panels.h"
#include "app/view/panels/thumbnail.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kNarrowest = 132, kLowest = 104;  // thumbnail
constexpr float kGap = 8;
constexpr float kFormulaFrom = 520;  // width of the card from which on there is room for it

bool shows_combined(const Ui& ui) {
  const HeadView view = ui.state.heads.view;
  return view == HeadView::kMean || view == HeadView::kMaximum || view == HeadView::kDifference;
}

int thumbnail_count(const Ui& ui) {
  return ui.problem().config.n_heads + (shows_combined(ui) ? 1 : 0);
}

// Where the thumbnails stand: in one row where they have room, else in even rows that scroll.
struct Grid {
  int per_row = 1, rows = 1;
  float width = 0, height = 0;  // of one thumbnail
};

Grid arrange(const Ui& ui, float width, float height) {
  const float gap = ui.px(kGap);
  const int count = thumbnail_count(ui);
  const int fit = static_cast<int>((width + gap) / (ui.px(kNarrowest) + gap));
  Grid grid;
  grid.rows = (count + std::max(fit, 1) - 1) / std::max(fit, 1);
  grid.per_row = (count + grid.rows - 1) / grid.rows;
  const auto share = [gap](float whole, int parts) {
    const auto number = static_cast<float>(parts);
    return std::floor((whole - gap * (number - 1)) / number);
  };
  grid.width = share(width, grid.per_row);
  const float least = grid.rows > 1 ? ui.px(kLowest) : 0;
  grid.height = std::max(least, share(height, grid.rows));
  return grid;
}

void thumbnails(Ui& ui, const Rect& area) {
  Grid grid = arrange(ui, area.w, area.h);
  const float gap = ui.px(kGap);
  const auto total = [&grid, gap] { return (grid.height + gap) * float(grid.rows) - gap; };
  if (total() > area.h + 1)
    grid = arrange(ui, area.w - ImGui::GetStyle().ScrollbarSize - ui.px(2), area.h);
  const float top = area.y - ImGui::GetScrollY();
  const auto place = [&](int i) {
    const int row = i / grid.per_row;
    return Rect{area.x + (grid.width + gap) * float(i % grid.per_row),
                top + (grid.height + gap) * float(row), grid.width, grid.height};
  };
  int next = 0;
  for (const int head : ordered_heads(ui)) head_thumbnail(ui, place(next++), head);
  if (shows_combined(ui)) combined_thumbnail(ui, place(next));
  ImGui::SetCursorScreenPos({area.x, top});
  ImGui::Dummy({1, total()});
}

// Ends at `right`.
void heads_menu(Ui& ui, float right, float y) {
  const std::string text = "by " + std::string(order_name(ui.state.heads.order));
  const float width = value_button_width(ui, text, true);
  const Rect place{right - width, y, width, ui.px(22)};
  if (value_button(ui, "menu/Heads", place, text, true)) open_popup("menu/Heads");
  tooltip(ui, "Order of the heads, and heads taken together");
  if (!begin_popup(ui, "menu/Heads", place)) return;
  menu_items(ui, "Heads");
  ImGui::Separator();
  ImGui::TextDisabled("In the card of the weights");
  menu_items(ui, "Heads together");
  ImGui::TextDisabled("Ctrl + click on a head picks the second one");
  end_popup();
}

}  // namespace

int thumbnail_rows(const Ui& ui, float width) { return arrange(ui, width - ui.px(24), 0).rows; }

void heads_card(Ui& ui, const Rect& rect) {
  const std::string note = std::to_string(ui.problem().config.n_heads) + " × " +
                           std::to_string(ui.problem().seq_len()) + " × " +
                           std::to_string(ui.problem().kv_len());
  const bool wide = rect.w > ui.px(kFormulaFrom);
  const Rect content =
      card(ui, rect, "Heads", wide ? "weights of every head · same scale" : "", note);
  const float noted = text_width(ui, ui.fonts.mono_small, note) + ui.px(24);
  heads_menu(ui, rect.right() - noted, rect.y + ui.px(6));
  ImGui::SetCursorScreenPos(content.min());
  compat::begin_child("heads", {content.w, content.h}, false);
  thumbnails(ui, content);
  ImGui::EndChild();
}

}  // namespace lab
