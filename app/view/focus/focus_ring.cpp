#include "app/view/focus/focus_ring.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/translation/words.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {
namespace {

constexpr int kFramesUntilText = 3;  // a text field gets the focus some frames later

}  // namespace

void begin_panel(Ui& ui, std::string_view panel) {
  ui.state.keyboard_focus.drawn = panel_index(ui, panel);
}

bool focus_stop(Ui& ui, const std::string& name, const Rect& rect) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  keyboard_focus.around_last_item = false;
  if (compat::in_popup()) return false;
  keyboard_focus.next_targets.push_back({keyboard_focus.drawn, name, rect});
  if (!has_keyboard_focus(ui, name)) return false;
  keyboard_focus.around_last_item = true;
  if (std::exchange(keyboard_focus.moved, false)) compat::scroll_into_view(rect);
  return std::exchange(keyboard_focus.pressed, {}) == name;
}

bool focus_field(Ui& ui, const std::string& name, const Rect& rect) {
  const bool pressed = focus_stop(ui, name, rect);
  auto& targets = ui.state.keyboard_focus.next_targets;
  if (!targets.empty() && targets.back().name == name) targets.back().is_field = true;
  return pressed;
}

void note_typing(Ui& ui, const std::string& name) { ui.state.keyboard_focus.next_typed_in = name; }

int focus_slider(Ui& ui, const std::string& name, const Rect& rect, FocusArrows arrows) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  focus_stop(ui, name, rect);
  if (!keyboard_focus.next_targets.empty() && keyboard_focus.next_targets.back().name == name)
    keyboard_focus.next_targets.back().arrows = arrows;
  return has_keyboard_focus(ui, name) ? std::exchange(keyboard_focus.change, 0) : 0;
}

bool has_keyboard_focus(const Ui& ui, std::string_view name) {
  const auto& on = ui.state.keyboard_focus.on;
  return on && on->name == name;
}

void bring_focus(Ui& ui, const std::string& name) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  const bool shown = keyboard_focus.on || keyboard_focus.inside != Inside::kNothing;
  if (!shown || keyboard_focus.next_targets.empty() ||
      keyboard_focus.next_targets.back().name != name)
    return;
  keyboard_focus.on = keyboard_focus.next_targets.back();
  keyboard_focus.last = keyboard_focus.on->panel;
  keyboard_focus.last_in[keyboard_focus.on->panel] = name;
}

void hide_keyboard_focus(KeyboardFocus& keyboard_focus) {
  keyboard_focus.on.reset();
  keyboard_focus.inside = Inside::kNothing;
}

void go_inside(Ui& ui, Inside what) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  if (!keyboard_focus.on) return;
  keyboard_focus.entered = *std::exchange(keyboard_focus.on, std::nullopt);
  keyboard_focus.inside = what;
  keyboard_focus.frames_left = kFramesUntilText;
}

void draw_focus_ring_around(const Ui& ui, const Rect& rect) {
  const float away = ui.px(2), thick = std::max(2.0f, ui.px(2));
  const Rect outer = rect.inset(-away - thick / 2);
  ImDrawList& top = *ImGui::GetForegroundDrawList();
  top.AddRect(outer.min(), outer.max(), pack(ui.theme.text), ui.px(6), 0, thick);
}

void draw_focus_ring(Ui& ui) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  std::ranges::stable_sort(keyboard_focus.next_targets, {}, &FocusTarget::panel);
  std::swap(keyboard_focus.targets, keyboard_focus.next_targets);
  keyboard_focus.next_targets.clear();
  keyboard_focus.typed_in = std::exchange(keyboard_focus.next_typed_in, {});
  if (!keyboard_focus.on || compat::popup_is_open() || ui.state.dialog.open != Dialog::kNone)
    return;
  const auto shown = ui.widgets.widgets().find(keyboard_focus.on->name);
  if (shown == ui.widgets.widgets().end()) return;
  ui.widgets.add("ring", shown->second);
  draw_focus_ring_around(ui, shown->second);
}

bool belongs_to_focus(const ViewState& state, Key key) {
  constexpr std::array kKeys{Key::kTab,  Key::kLeft, Key::kRight, Key::kUp,    Key::kDown,
                             Key::kHome, Key::kEnd,  Key::kEnter, Key::kSpace, Key::kEscape};
  return state.keyboard_focus.has_keys && std::ranges::find(kKeys, key) != kKeys.end();
}

std::string focus_hint(const Ui& ui) {
  const auto& on = ui.state.keyboard_focus.on;
  if (!on) return {};
  const std::string arrows = on->arrows == FocusArrows::kAcross ? tr("← → change · ↑ ↓ move")
                             : on->arrows == FocusArrows::kUpright ? tr("↑ ↓ change · ← → move")
                                                                   : tr("Arrows and Tab move");
  return tr("{} · Enter presses · F6 next part · Esc done", {arrows});
}

}  // namespace lab::view
