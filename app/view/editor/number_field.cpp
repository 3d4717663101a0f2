#include "app/view/editor/number_field.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <utility>

#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

bool text_field(Ui& ui, const std::string& name, const Rect& bounds, std::string& text) {
  compat::push_font(ui.fonts.mono);
  const float padding = (bounds.h - compat::font_size(*ui.fonts.mono)) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(6), padding});
  ImGui::SetCursorScreenPos(bounds.min());
  ImGui::SetNextItemWidth(bounds.w);
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kNumber}))
    ui.state.early_text.give_keyboard();
  const bool entered =
      ImGui::InputText(("##" + name).c_str(), &text,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (ImGui::IsItemActive()) note_typing(ui, name);
  ui.name(name, bounds);
  return entered;
}

}  // namespace

void number_field(Ui& ui, const std::string& name, const Rect& bounds, const std::string& shown,
                  const std::string& full, std::optional<std::string>& text) {
  if (!text) {
    if (click_area(ui, name, bounds)) {
      text = full;
      ui.state.requests.ask(request::GiveKeyboard{TextField::kNumber});
      go_inside(ui, Inside::kText);
    }
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    draw_text(ui, ui.fonts.mono, bounds, shown, ui.theme.text, TextAlign::kCentre);
    return;
  }
  const bool entered = text_field(ui, name, bounds, *text);
  focus_stop(ui, name, bounds);
  const bool escaped = compat::key_pressed(Key::kEscape, false);
  if (entered && !escaped) {
    if (!commit_pending(ui)) ui.state.requests.ask(request::GiveKeyboard{TextField::kNumber});
  } else if (escaped || (ImGui::IsItemDeactivated() && !commit_pending(ui))) {
    cancel_pending(ui);
  }
}

}  // namespace lab::view
