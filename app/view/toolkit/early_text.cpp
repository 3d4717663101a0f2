#include "app/view/toolkit/early_text.h"

#include "app/view/toolkit/imgui_focus.h"

namespace lab::view {
namespace {

// Two, and two more when a popup appears around the field.
constexpr int kMostFrames = 4;

}  // namespace

void EarlyText::give_keyboard(int offset) {
  compat::give_keyboard(offset);
  if (!expected_) kept_.clear();
  expected_ = false;
  waits_ = true;
  last_frame_ = ImGui::GetFrameCount() + kMostFrames;
}

void EarlyText::expect() {
  kept_.clear();
  waits_ = expected_ = true;
  last_frame_ = ImGui::GetFrameCount() + kMostFrames;
}

void EarlyText::settle() {
  if (!waits_) return;
  const bool arrived = !expected_ && compat::text_field_has_keys();
  waits_ = !arrived && ImGui::GetFrameCount() < last_frame_;
  if (arrived) return hand_over();
  if (waits_) return keep();
  expected_ = false;
}

void EarlyText::keep() {
  ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
  kept_.insert(kept_.end(), queue.begin(), queue.end());
  queue.clear();
}

void EarlyText::hand_over() {
  keep();
  for (const ImWchar unit : kept_) ImGui::GetIO().InputQueueCharacters.push_back(unit);
  kept_.clear();
}

}  // namespace lab::view
