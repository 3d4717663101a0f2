#pragma once

#include <optional>
#include <vector>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Present mode: one stage at a time, large, from the embeddings to the output. The stage that is
// shown is the selected one, so that it stays selected after leaving the mode. Keys step through
// the stages, or through the steps of a lesson, and never change a number, unless Enter or a double
// click has opened the selected cell's field.

namespace lab::view {

/// Seconds that each stage is shown while playing.
inline constexpr double kSecondsPerStage = 4;

/// The active stages of `problem`, in the order of the formula; X always, the keys' side in
/// cross-attention.
std::vector<attention::Stage> present_stages(const attention::Problem& problem);

/// The scale in which the mode begins, of the window that has the scale `outside`: as large as
/// there is room for, which may be less than `outside`.
float present_scale(float outside);
/// Enters the mode, or leaves it.
void toggle_present(Ui& ui);
/// Goes `steps` stages on, or back, or in a lesson that many of its steps; stops at the ends, and
/// stops playing.
void step_present(Ui& ui, int steps);
/// Plays the stages one after the other, from the first one if the last one is shown; or pauses.
void toggle_playing(Ui& ui);
/// Switches to high-contrast colours, or back.
void toggle_contrast(Ui& ui);
/// Call at the start of a frame: handles the keys of the mode, and moves on when a stage was shown
/// for long enough.
void run_present(Ui& ui);

/// True while the mode is on, for the keys that it handles or ignores.
bool belongs_to_present(const ViewState& state, Key key);

/// Seconds until playing needs the next frame; nothing while not playing.
std::optional<double> seconds_to_next_stage(const ViewState& state);

}  // namespace lab::view
