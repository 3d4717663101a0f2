#pragma once

#include <span>

#include "app/view/state/focus_state.h"

// Where the keyboard focus goes from a widget. All functions return null when there is no such
// place.

namespace lab::view {

/// The place with that name.
const FocusTarget* target_named(std::span<const FocusTarget> targets, const std::string& name);
/// The nearest place of the same part to the side that `dx` and `dy` (each −1, 0 or 1) point to. A
/// widget that contains `from` is not a neighbour, nor is one inside another widget.
const FocusTarget* target_beside(std::span<const FocusTarget> targets, const FocusTarget& from,
                                 int dx, int dy);
/// The place `by` steps on, across all parts and wrapping around; the first when `from` does not
/// exist any more.
const FocusTarget* target_after(std::span<const FocusTarget> targets, const FocusTarget& from,
                                int by);
/// The first and the last place of panel `part`.
const FocusTarget* first_of(std::span<const FocusTarget> targets, int panel);
/// The last one; null when the panel has none.
const FocusTarget* last_of(std::span<const FocusTarget> targets, int panel);
/// The place of the same part that is nearest to `from`, for use when `from` does not exist any
/// more.
const FocusTarget* target_near(std::span<const FocusTarget> targets, const FocusTarget& from);
/// The first place of the next panel that has any, or of the previous one (`by` −1), wrapping
/// around. `places` are in the order of panels.
const FocusTarget* panel_after(std::span<const FocusTarget> targets, int panel, int by);

}  // namespace lab::view
