#include "app/view/editor/cell_editor.h"

#include <imgui.h>
#include <imgui_stdlib.h>
#include <algorithm>
#include <array>
#include <utility>

#include "app/base/machine_numbers.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

std::string pasted_or_typed() {
  const bool pasted = ImGui::GetIO().KeyCtrl && compat::key_pressed(Key::kV, false);
  const char* clipboard = pasted ? ImGui::GetClipboardText() : nullptr;
  return clipboard != nullptr ? clipboard : typed_text();
}

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

std::string typed_text() {
  std::string text;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return text;
  for (const ImWchar c : io.InputQueueCharacters) {
    if (c >= ' ' && c < 0x7F) text += static_cast<char>(c);
    if (c == 0x2212) text += '-';  // the mathematical minus
  }
  return text;
}

bool edit_number_text(std::string& text, bool& selected) {
  constexpr std::size_t kLongest = 40;
  const std::string before = text, more = pasted_or_typed();
  const bool back = compat::key_pressed(Key::kBackspace);
  const bool erases = back || compat::key_pressed(Key::kDelete, false);
  if (selected && (erases || !more.empty())) {
    text.clear();
  } else if (back && !text.empty()) {
    text.pop_back();
  }
  if (text.size() < kLongest) text += more.substr(0, kLongest - text.size());
  constexpr std::array kUnselect{Key::kLeft, Key::kRight, Key::kHome, Key::kEnd};
  const auto pressed = [](Key key) { return compat::key_pressed(key); };
  if (text != before || std::ranges::any_of(kUnselect, pressed)) selected = false;
  return text != before;
}

std::string editable_text(float value) { return shortest_digits(value); }

void cell_field(Ui& ui, const Rect& cell, const std::string& text, bool selected) {
  const float padding = ui.px(5), caret = std::max(1.0f, ui.px(1.3f));
  const float needed = text_width(ui, ui.fonts.mono, text) + 2 * padding + caret;
  const float width = std::max(cell.w, needed), height = std::max(cell.h, ui.px(20));
  const float x = std::min(cell.x, ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - width);
  const Rect field{x, cell.y + (cell.h - height) / 2, width, height};
  fill_rect(ui, field, ui.theme.card);
  frame_rect(ui, field, ui.theme.selected, std::max(2.0f, ui.px(2)));
  const Rect bounds{field.x + padding, field.y, width - 2 * padding, field.h};
  const float end = bounds.x + text_width(ui, ui.fonts.mono, text) + 1;
  if (selected)
    fill_rect(ui, {bounds.x, field.y + ui.px(4), end - bounds.x, field.h - ui.px(8)},
              ui.theme.accent, 0, 0.30f);
  draw_text(ui, ui.fonts.mono, bounds, text, ui.theme.text);
  fill_rect(ui, {end, field.y + ui.px(4), caret, field.h - ui.px(8)}, ui.theme.text);
}

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
