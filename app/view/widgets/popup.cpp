#include "app/view/widgets/popup.h"

#include <imgui.h>

#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {

void open_popup(const std::string& id) { ImGui::OpenPopup(id.c_str()); }

bool popup_has_keys(const Ui& ui) {
  const bool closed_by_key = ui.state.popup_was_open && !ImGui::IsMouseClicked(0);
  return closed_by_key || compat::popup_is_open();
}

void open_requested_popup(Ui& ui, const std::string& id) {
  if (ui.state.requests.take(request::OpenPopup{id})) open_popup(id);
}

namespace {

// The anchor that the popup had when it opened: it stays there although its button moves.
Rect first_anchor(Ui& ui, const std::string& id, const Rect& button) {
  const int frame = ImGui::GetFrameCount();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  PopupPosition& kept = ui.state.popups[id];
  const bool open = kept.frame + 1 >= frame;
  if (!open || kept.screen.x != screen.x || kept.screen.y != screen.y) kept = {button, screen, 0};
  kept.frame = frame;
  return kept.anchor;
}

}  // namespace

bool begin_popup(Ui& ui, const std::string& id, const Rect& button, bool own_keys) {
  if (!ImGui::IsPopupOpen(id.c_str())) return false;
  const Rect anchor = first_anchor(ui, id, button);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool left = anchor.x + ui.px(260) < screen.x;
  // As high as the longest menu of a card.
  const bool below = anchor.bottom() + ui.px(320) < screen.y || anchor.y < screen.y / 2;
  ImGui::SetNextWindowPos(
      {left ? anchor.x : anchor.right(), below ? anchor.bottom() + ui.px(4) : anchor.y - ui.px(4)},
      ImGuiCond_Always, {left ? 0.0f : 1.0f, below ? 0.0f : 1.0f});
  compat::push_font(ui.fonts.text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
  if (below) ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, screen.y - anchor.bottom()});
  if (ImGui::BeginPopup(id.c_str(), own_keys ? ImGuiWindowFlags_NoNav : 0)) {
    if (compat::key_pressed(Key::kEscape, false)) ImGui::CloseCurrentPopup();
    if (!ImGui::IsWindowAppearing()) {
      compat::press_focused_item();
    } else if (ui.state.keyboard_focus.on) {
      compat::show_focused_item();
    }
    return true;
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return false;
}

void end_popup() {
  ImGui::EndPopup();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

bool menu_item(Ui& ui, const std::string& id, std::string_view name, const std::string& shortcut,
               bool checked, bool enabled) {
  const std::string label = item_label(ui, name, id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool chosen = ImGui::MenuItem(label.c_str(), shortcut.empty() ? nullptr : shortcut.c_str(),
                                      checked, enabled);
  ui.name_item(id);
  draw_item_label(ui, name, at);
  return chosen;
}

void draw_chevron(Ui& ui, const Rect& bounds, bool left, figure::Rgb colour) {
  const float side = ui.px(4), x = bounds.x + bounds.w / 2, y = bounds.y + bounds.h / 2;
  const float tip = left ? -side : side;
  const ImVec2 points[] = {{x - tip / 2, y - side}, {x + tip / 2, y}, {x - tip / 2, y + side}};
  ui.canvas().AddPolyline(points, 3, pack(colour), 0, std::max(1.5f, ui.px(1.8f)));
}

void draw_tick(Ui& ui, const Rect& bounds, figure::Rgb colour) {
  const float side = ui.px(4), x = bounds.x + bounds.w / 2, y = bounds.y + bounds.h / 2;
  const ImVec2 points[] = {
      {x - 1.2f * side, y}, {x - 0.3f * side, y + side}, {x + 1.3f * side, y - side}};
  ui.canvas().AddPolyline(points, 3, pack(colour), 0, std::max(1.5f, ui.px(1.8f)));
}

void draw_menu_mark(Ui& ui, ImVec2 centre) {
  const float s = ui.px(3.5f);
  ui.canvas().AddTriangleFilled({centre.x - s, centre.y - s * 0.6f},
                                {centre.x + s, centre.y - s * 0.6f},
                                {centre.x, centre.y + s * 0.8f}, pack(ui.theme.dim));
}

float text_button_width(const Ui& ui, const std::string& text) {
  return text_width(ui, ui.fonts.text, text) + ui.px(18);
}

void text_button(Ui& ui, Rect& rect, const std::string& id, const std::string& text,
                 const char* menu) {
  const Rect bounds = rect.cut_left(text_button_width(ui, text));
  if (click_area(ui, id, bounds)) open_popup(menu);
  const figure::Rgb colour = ImGui::IsItemHovered() ? ui.theme.text : ui.theme.dim;
  draw_text(ui, ui.fonts.text, bounds, text, colour);
  draw_menu_mark(ui, {bounds.right() - ui.px(8), bounds.y + bounds.h / 2});
}

}  // namespace lab::view
