#pragma once

#include <span>

#include "app/view/state/focus_state.h"

// Where the keyboard focus goes from a widget. All functions return null when there is no such
// place.

namespace lab::view {

/// The target with that name; null when there is none.
const FocusTarget* target_named(std::span<const FocusTarget> targets, const std::string& name);
/// The nearest target of the same panel to the side that `dx` and `dy` (each −1, 0 or 1) point to.
/// A widget that contains `from` is not a neighbour, nor is one inside another widget.
const FocusTarget* target_beside(std::span<const FocusTarget> targets, const FocusTarget& from,
                                 int dx, int dy);
/// The target `by` steps on, across all panels and wrapping around; the first when `from` does not
/// exist any more.
const FocusTarget* target_after(std::span<const FocusTarget> targets, const FocusTarget& from,
                                int by);
/// The first target of `panel`.
const FocusTarget* first_of(std::span<const FocusTarget> targets, int panel);
/// The last target of `panel`.
const FocusTarget* last_of(std::span<const FocusTarget> targets, int panel);
/// The target of the same panel that is nearest to `from`, for use when `from` does not exist any
/// more.
const FocusTarget* target_near(std::span<const FocusTarget> targets, const FocusTarget& from);
/// The first target of the next panel that has any, or of the previous one (`by` −1), wrapping
/// around. `targets` are in the order of panels.
const FocusTarget* panel_after(std::span<const FocusTarget> targets, int panel, int by);

}  // namespace lab::view
