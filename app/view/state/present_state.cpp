#include "app/view/state/present_state.h"

#include <utility>

#include "app/view/state/view_state.h"

namespace lab::view {

void leave_present(ViewState& state) {
  PresentState& present = state.present;
  if (!present.on) return;
  present.on = present.playing = state.lesson.answers_shown = false;
  state.scale = present.scale_outside;
  state.theme = std::exchange(present.theme_outside, {}).value_or(state.theme);
  state.edit.focused = state.overriding.focused = false;
}

}  // namespace lab::view
