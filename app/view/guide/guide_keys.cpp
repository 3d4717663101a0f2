#include <algorithm>

#include "app/view/focus/chord.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/guide/guide_links.h"
#include "app/view/guide/guide_panels.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {
namespace {

constexpr const char* kSearch = "guide/search";

void go_to_search(Ui& ui) {
  ui.state.guide.keyboard_focus = kSearch;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
}

// Moves the keyboard focus to the next widget, wrapping around; without focus, to the first or last
// one.
void move_keyboard_focus(Ui& ui, bool back) {
  GuideState& guide = ui.state.guide;
  const auto count = static_cast<int>(guide.last_stops.size());
  if (count == 0) return;
  const auto found = std::ranges::find(guide.last_stops, guide.keyboard_focus);
  const bool none = found == guide.last_stops.end();
  const int at = static_cast<int>(found - guide.last_stops.begin());
  const int next = back ? (none ? count : at) + count - 1 : (none ? -1 : at) + 1;
  compat::leave_text_field();
  guide.keyboard_focus = guide.last_stops[static_cast<std::size_t>(next % count)];
  guide.focus_moved = true;
  if (guide.keyboard_focus == kSearch) go_to_search(ui);
}

}  // namespace

bool guide_stop(Ui& ui, const std::string& name, const Rect& rect) {
  GuideState& guide = ui.state.guide;
  guide.stops.push_back(name);
  if (guide.keyboard_focus != name) return false;
  if (std::exchange(guide.focus_moved, false)) compat::scroll_into_view(rect);
  if (ImGui::IsRectVisible(rect.min(), rect.max())) draw_focus_ring_around(ui, rect);
  if (compat::text_field_has_keys()) return false;
  return compat::enter_pressed() || compat::key_pressed(Key::kSpace, false);
}

void take_guide_keys(Ui& ui) {
  GuideState& guide = ui.state.guide;
  guide.last_stops = std::exchange(guide.stops, {});
  if (ImGui::IsMouseClicked(0)) guide.keyboard_focus.clear();
  if (chord_pressed({Key::kLeft, false, false, true}) || ImGui::IsMouseClicked(kMouseBack))
    step_visits(guide, -1);
  if (chord_pressed({Key::kRight, false, false, true}) || ImGui::IsMouseClicked(kMouseForward))
    step_visits(guide, 1);
  if (chord_pressed({Key::kF, true})) go_to_search(ui);
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl && !io.KeyAlt && compat::key_pressed(Key::kTab))
    move_keyboard_focus(ui, io.KeyShift);
}

}  // namespace lab::view
