#pragma once

#include <optional>
#include <vector>

#include "app/view/state/ui.h"
#include "app/view/toolkit/imgui_compat.h"

// Present mode: one stage at a time, large, from the embeddings to the output. The stage that is
// shown is the selected one, so that leaving the mode stays at it. Keys lead through the stages, of
// a lesson through its steps, and never change a number, unless Enter or a double click has opened
// the selected cell's field.

namespace lab::view {

/// Seconds that each stage is shown while playing.
inline constexpr double kSecondsPerStage = 4;

/// The stages that are steps of their own in `problem`, in the order of the formula; X always, the
/// keys' side in cross-attention.
std::vector<attention::Stage> present_stages(const attention::Problem& problem);

/// Enters the mode, or leaves it.
void toggle_present(Ui& ui);
/// Goes `steps` stages on, or back, in a lesson so many of its steps; stops at the ends, and stops
/// playing.
void step_present(Ui& ui, int steps);
/// Shows the stages one after the other, from the first one when the last one is shown; or pauses.
void toggle_playing(Ui& ui);
/// Shows the colours that are easiest to see from afar, or those of before.
void toggle_contrast(Ui& ui);
/// What a frame of the mode begins with: takes its keys, and goes on when a stage was shown for
/// long enough.
void run_present(Ui& ui);

/// True while the mode is on, for the keys that it takes for itself or lets do nothing.
bool belongs_to_present(const ViewState& state, Key key);

/// Seconds until playing needs the next frame; nothing while nothing plays.
std::optional<double> seconds_to_next_stage(const ViewState& state);

}  // namespace lab::view
