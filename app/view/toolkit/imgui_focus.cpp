#include "app/view/toolkit/imgui_focus.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/view/toolkit/imgui_compat.h"

namespace lab::view::compat {

bool popup_is_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool in_popup() {
  const ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  return (window->RootWindow->Flags & ImGuiWindowFlags_Popup) != 0;
}

void give_keyboard(int offset) {
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19020
  // These versions find the item only in the window that has the focus already (their issue 7226).
  ImGui::GetCurrentContext()->NavFocusScopeId = ImGui::GetCurrentContext()->CurrentFocusScopeId;
#endif
  ImGui::SetKeyboardFocusHere(offset);
}

bool text_field_has_keys() { return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive(); }

void leave_text_field() {
  if (text_field_has_keys()) ImGui::ClearActiveID();
}

void scroll_into_view(const Rect& rect) {
  constexpr ImGuiScrollFlags kBoth =
      ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY;
  ImGui::ScrollToRect(ImGui::GetCurrentWindow(), ImRect(rect.min(), rect.max()), kBoth);
}

void scroll_by(float pixels) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  while (window->ScrollMax.y <= 0 && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0)
    window = window->ParentWindow;
  ImGui::SetScrollY(window, window->Scroll.y + pixels);
}

void scroll_by_keys(float step) {
  const float page = ImGui::GetWindowHeight() - step;
  float by = 0;
  if (key_pressed(Key::kUp)) by = -step;
  if (key_pressed(Key::kDown)) by = step;
  if (key_pressed(Key::kPageUp)) by = -page;
  if (key_pressed(Key::kPageDown)) by = page;
  const bool typing = text_field_has_keys();
  if (!typing && key_pressed(Key::kHome)) by = -ImGui::GetScrollMaxY();
  if (!typing && key_pressed(Key::kEnd)) by = ImGui::GetScrollMaxY();
  if (by != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

void show_focused_item() { show_keyboard_cursor(); }

void mark_last_item() {
  ImGui::NavMoveRequestCancel();
  leave_text_field();
  ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
  show_keyboard_cursor();
}

bool is_marked_item() { return ImGui::GetIO().NavVisible && ImGui::IsItemFocused(); }

void press_focused_item() {
  if (kEnterPresses) return;
  const bool free = ImGui::GetIO().NavVisible && !ImGui::IsAnyItemActive();
  if (free && enter_pressed()) press_item(ImGui::GetFocusID());
}

}  // namespace lab::view::compat
