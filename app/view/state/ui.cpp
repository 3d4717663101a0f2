#include "app/view/state/ui.h"

#include <algorithm>

#include "app/explain/number_text.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {

std::string Ui::number(double value, int least) const {
  return explain::adaptive_text(static_cast<float>(value), std::max(least, state.digits));
}

void Ui::select_stage(attention::Stage stage) {
  state.selection.stage = stage;
  clamp_selection(state.selection, document(), trace(), state.head);
}

void Ui::give_keys_to_stage() { state.overriding.focused = state.compare.shows_edited(); }

// Scrolls to the widget when it is drawn, unless it is completely visible.
void Ui::bring_into_view(const Rect& rect) {
  state.requests.withdraw<request::BringIntoView>();
  const ImVec2 min = canvas().GetClipRectMin(), max = canvas().GetClipRectMax();
  if (rect.y < min.y || rect.bottom() > max.y) compat::scroll_into_view(rect);
}

void Ui::name(std::string name, const Rect& rect) {
  const auto* waiting = state.requests.waiting<request::BringIntoView>();
  if (waiting != nullptr && waiting->widget == name) bring_into_view(rect);
  const ImVec2 clip_min = canvas().GetClipRectMin();
  const ImVec2 clip_max = canvas().GetClipRectMax();
  const float x = std::max(rect.x, clip_min.x), y = std::max(rect.y, clip_min.y);
  const float right = std::min(rect.right(), clip_max.x);
  const float bottom = std::min(rect.bottom(), clip_max.y);
  widgets.add(std::move(name), {x, y, right - x, bottom - y});
}

void Ui::name_item(std::string name_of_it) {
  const ImVec2 min = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  name(std::move(name_of_it), {min.x, min.y, size.x, size.y});
}

}  // namespace lab::view
