#pragma once

#include <optional>

#include "app/figure/colour/theme_name.h"

namespace lab::view {

struct ViewState;

/// Whether and how stages are presented.
struct PresentState {
  bool on = false;
  bool playing = false;
  double stage_ends = 0;  ///< ImGui's clock, in seconds: when playing goes on
  /// The theme before the colours were made easy to see from afar; nothing: they were not.
  std::optional<figure::ThemeId> theme_outside;
  float scale_outside = 1;  ///< of the window when the mode was entered: what leaving brings back
};

/// Leaves the mode, if it is on: theme and scale are what they were outside of it.
void leave_present(ViewState& state);

}  // namespace lab::view
