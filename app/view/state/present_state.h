#pragma once

#include <optional>

#include "app/figure/colour/theme_name.h"

namespace lab::view {

struct ViewState;

/// The state of present mode.
struct PresentState {
  bool on = false;
  bool playing = false;
  double stage_ends = 0;  ///< when playing moves on, in seconds of ImGui's clock
  /// The theme before high contrast was switched on; unset: it is off.
  std::optional<figure::ThemeId> theme_outside;
  float scale_outside = 1;  ///< the window's scale when the mode was entered, restored when it is
                            ///< left
};

/// Leaves the mode, if it is on, and restores theme and scale.
void leave_present(ViewState& state);

}  // namespace lab::view
