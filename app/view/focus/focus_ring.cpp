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

void begin_part(Ui& ui, std::string_view panel) { ui.state.ring.drawn = panel_index(ui, panel); }

bool ring_stop(Ui& ui, const std::string& name, const Rect& rect) {
  RingState& ring = ui.state.ring;
  ring.around_last_item = false;
  if (compat::in_popup()) return false;
  ring.next_places.push_back({ring.drawn, name, rect});
  if (!has_ring(ui, name)) return false;
  ring.around_last_item = true;
  if (std::exchange(ring.moved, false)) compat::scroll_into_view(rect);
  return std::exchange(ring.pressed, {}) == name;
}

bool ring_field(Ui& ui, const std::string& name, const Rect& rect) {
  const bool pressed = ring_stop(ui, name, rect);
  auto& places = ui.state.ring.next_places;
  if (!places.empty() && places.back().name == name) places.back().is_field = true;
  return pressed;
}

void note_typing(Ui& ui, const std::string& name) { ui.state.ring.next_typed_in = name; }

int ring_slider(Ui& ui, const std::string& name, const Rect& rect, RingArrows arrows) {
  RingState& ring = ui.state.ring;
  ring_stop(ui, name, rect);
  if (!ring.next_places.empty() && ring.next_places.back().name == name)
    ring.next_places.back().arrows = arrows;
  return has_ring(ui, name) ? std::exchange(ring.change, 0) : 0;
}

bool has_ring(const Ui& ui, std::string_view name) {
  const auto& on = ui.state.ring.on;
  return on && on->name == name;
}

void bring_ring(Ui& ui, const std::string& name) {
  RingState& ring = ui.state.ring;
  const bool shown = ring.on || ring.inside != Inside::kNothing;
  if (!shown || ring.next_places.empty() || ring.next_places.back().name != name) return;
  ring.on = ring.next_places.back();
  ring.last = ring.on->part;
  ring.last_in[ring.on->part] = name;
}

void hide_ring(RingState& ring) {
  ring.on.reset();
  ring.inside = Inside::kNothing;
}

void go_inside(Ui& ui, Inside what) {
  RingState& ring = ui.state.ring;
  if (!ring.on) return;
  ring.entered = *std::exchange(ring.on, std::nullopt);
  ring.inside = what;
  ring.frames_left = kFramesUntilText;
}

void draw_ring_around(const Ui& ui, const Rect& rect) {
  const float away = ui.px(2), thick = std::max(2.0f, ui.px(2));
  const Rect outer = rect.inset(-away - thick / 2);
  ImDrawList& top = *ImGui::GetForegroundDrawList();
  top.AddRect(outer.min(), outer.max(), pack(ui.theme.text), ui.px(6), 0, thick);
}

void draw_ring(Ui& ui) {
  RingState& ring = ui.state.ring;
  std::ranges::stable_sort(ring.next_places, {}, &RingPlace::part);
  std::swap(ring.places, ring.next_places);
  ring.next_places.clear();
  ring.typed_in = std::exchange(ring.next_typed_in, {});
  if (!ring.on || compat::popup_is_open() || ui.state.dialog.open != Dialog::kNone) return;
  const auto shown = ui.widgets.widgets().find(ring.on->name);
  if (shown == ui.widgets.widgets().end()) return;
  ui.widgets.add("ring", shown->second);
  draw_ring_around(ui, shown->second);
}

bool belongs_to_ring(const ViewState& state, Key key) {
  constexpr std::array kKeys{Key::kTab,  Key::kLeft, Key::kRight, Key::kUp,    Key::kDown,
                             Key::kHome, Key::kEnd,  Key::kEnter, Key::kSpace, Key::kEscape};
  return state.ring.has_keys && std::ranges::find(kKeys, key) != kKeys.end();
}

std::string ring_hint(const Ui& ui) {
  const auto& on = ui.state.ring.on;
  if (!on) return {};
  const std::string arrows = on->arrows == RingArrows::kAcross ? tr("← → change · ↑ ↓ move")
                             : on->arrows == RingArrows::kUpright ? tr("↑ ↓ change · ← → move")
                                                                  : tr("Arrows and Tab move");
  return tr("{} · Enter presses · F6 next part · Esc done", {arrows});
}

}  // namespace lab::view
