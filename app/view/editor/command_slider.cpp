#include "app/view/editor/command_slider.h"

#include <algorithm>

#include "app/base/wording.h"
#include "app/view/editor/cell_editor.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

void drag(Ui& ui, const Rect& track, const CommandSlider& slider) {
  if (ImGui::IsItemActivated()) ui.state.sliding = true;
  if (ui.state.sliding && compat::key_pressed(Key::kEscape, false)) cancel_pending(ui);
  if (!ui.state.sliding || !(ImGui::IsItemActive() || ImGui::IsItemDeactivated())) return;
  const float position = (ImGui::GetIO().MousePos.x - track.x) / track.w;
  const float value = slider.value_at(std::clamp(position, 0.0f, 1.0f));
  if (value != slider.value) ui.queue(intent::Preview{slider.command(value)});
  if (!ImGui::IsItemDeactivated()) return;
  ui.queue(intent::Commit{});
  ui.state.sliding = false;
}

void step_by_keys(Ui& ui, const CommandSlider& slider, int steps) {
  constexpr float kKeyStep = 0.025f;  // of the track
  if (steps == 0) return;
  const float position = slider.position + kKeyStep * static_cast<float>(steps);
  const float value = slider.value_at(std::clamp(position, 0.0f, 1.0f));
  ui.queue(intent::ApplyMerged{slider.command(value), slider.step});
}

}  // namespace

void command_slider(Ui& ui, Rect bounds, const CommandSlider& slider) {
  const Rect whole = bounds, number = bounds.cut_left(ui.px(52));
  pointer_area(ui, slider.id, bounds);
  const bool live = ImGui::IsItemHovered() || ImGui::IsItemActive();
  fill_rect(ui, whole, live ? ui.theme.button_hover : ui.theme.button, ui.px(6));
  const Rect track{bounds.x + ui.px(4), bounds.y + bounds.h / 2, bounds.w - ui.px(16), 1};
  drag(ui, track, slider);
  step_by_keys(ui, slider, focus_slider(ui, slider.id, bounds, FocusArrows::kAcross));
  fill_rect(ui, {track.x, track.y - ui.px(1), track.w, std::max(1.0f, ui.px(1.5f))}, ui.theme.dim);
  ui.canvas().AddCircleFilled({track.x + track.w * slider.position, track.y}, ui.px(5),
                              pack(ui.theme.text));
  number_field(ui, slider.id + "/number", number, slider.text, shortest(slider.value),
               *slider.typed);
}

}  // namespace lab::view
