#include <array>

#include "app/files/open.h"
#include "app/view/actions.h"
#include "app/view/file_actions.h"
#include "app/view/panels/panels.h"
#include "app/view/popup.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr std::array<std::string_view, 4> kMenus{"File", "Edit", "View", "Help"};
constexpr float kButtonHeight = 28;

void menu_items(Ui& ui, std::string_view menu) {
  for (const Action& action : all_actions()) {
    if (action.menu != menu) continue;
    const bool checked = action.checked != nullptr && action.checked(ui);
    if (menu_item(ui, std::string(action.id), action.name, chord_text(action.chord), checked,
                  is_enabled(ui, action))) {
      action.run(ui);
    }
  }
}

void menus(Ui& ui, Rect& rect, float y) {
  for (const std::string_view menu : kMenus) {
    const std::string id = "menu/" + std::string(menu);
    const Rect place{rect.x, y, button_width(ui, menu), ui.px(kButtonHeight)};
    if (button(ui, id, place, menu)) open_popup(id);
    if (begin_popup(ui, id, place)) {
      menu_items(ui, menu);
      end_popup();
    }
    rect.cut_left(place.w + ui.px(10));
  }
}

// A button at the right end of `rect` that runs an action.
void action_button(Ui& ui, Rect& rect, float y, std::string_view id, const std::string& name,
                   std::string_view label, ButtonLook look = ButtonLook::kQuiet) {
  const float width = button_width(ui, label);
  const Rect place{rect.right() - width, y, width, ui.px(kButtonHeight)};
  const Action& record = action(id);
  if (button(ui, name, place, label, look, is_enabled(ui, record))) record.run(ui);
  tooltip(ui, std::string(record.name) + "   " + chord_text(record.chord));
  rect.cut_right(width + ui.px(10));
}

void example_menu(Ui& ui, const Rect& place) {
  if (!begin_popup(ui, "menu/Example", place)) return;
  for (const ExampleInfo& example : examples()) {
    const bool current = example.title == ui.document().title;
    if (menu_item(ui, "example/" + example.name, example.title, {}, current)) {
      leave_document(ui, example.name);
    }
  }
  end_popup();
}

void example_button(Ui& ui, Rect& rect, float y) {
  const std::string& title = ui.document().title;
  const std::string shown = title.empty() ? "Untitled" : title;
  const std::string_view lead = ui.workspace.path().empty() ? "Example:" : "Session:";
  const float lead_width = text_width(ui, ui.fonts.text, lead) + ui.px(5);
  const float wanted = lead_width + text_width(ui, ui.fonts.bold, shown) + ui.px(22);
  const float width = std::min(wanted, rect.w);
  if (width < ui.px(90)) return;
  Rect place{rect.right() - width, y, width, ui.px(kButtonHeight)};
  const Rect whole = place;
  if (click_area(ui, "menu/Example", place)) open_popup("menu/Example");
  const bool hovered = ImGui::IsItemHovered();
  draw_text(ui, ui.fonts.text, place.cut_left(lead_width), lead, ui.theme.dim);
  const Rect mark = place.cut_right(ui.px(16));
  draw_text(ui, ui.fonts.bold, place, shown, hovered ? ui.theme.accent : ui.theme.text);
  draw_menu_mark(ui, {mark.x + mark.w / 2, mark.y + mark.h / 2});
  example_menu(ui, whole);
}

}  // namespace

void top_bar(Ui& ui, Rect rect) {
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.bottom() - 1, rect.w, 1}, ui.theme.line);
  const float y = rect.y + std::floor((rect.h - ui.px(kButtonHeight)) / 2);
  rect.cut_left(ui.px(14));
  rect.cut_right(ui.px(14));
  const std::string_view name = "Attention Lab";
  draw_text(ui, ui.fonts.title, {rect.x, rect.y, ui.px(140), rect.h}, name, ui.theme.text);
  rect.cut_left(text_width(ui, ui.fonts.title, name) + ui.px(20));
  menus(ui, rect, y);
  action_button(ui, rect, y, "file.export", "button/export", "Export…", ButtonLook::kActive);
  action_button(ui, rect, y, "edit.redo", "button/redo", "↷ Redo");
  action_button(ui, rect, y, "edit.undo", "button/undo", "↶ Undo");
  rect.cut_right(ui.px(6));
  example_button(ui, rect, y);
}

}  // namespace lab
