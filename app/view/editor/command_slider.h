#pragma once

#include <optional>
#include <string>

#include "app/document/commands/command.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// A number of the document that a slider sets, between a field to type it and a track.
struct CommandSlider {
  std::string id;      ///< of the track; the field is that with "/number"
  float value = 0;     ///< at present
  float position = 0;  ///< that of the value on the track, 0 … 1
  std::string text;    ///< the value in the field
  Command (*command)(float value) = nullptr;
  float (*value_at)(float position) = nullptr;  ///< the inverse of `position`, rounded
  std::string step;                             ///< names the steps of keys that become one
  std::optional<std::string>* typed = nullptr;  ///< the value while it is being typed
};

/// Draws the slider in `bounds`. A drag previews the command and commits it as one step; arrows
/// move it by a fortieth of the track.
void command_slider(Ui& ui, Rect bounds, const CommandSlider& slider);

}  // namespace lab::view
