#pragma once

#include <span>

#include "app/view/state/focus_state.h"

// Where the keyboard focus goes from a widget. All functions return null when there is no such
// place.

namespace lab::view {

/// The place with that name.
const FocusPlace* place_of(std::span<const FocusPlace> places, const std::string& name);
/// The nearest place of the same part to the side that `dx` and `dy` (each −1, 0 or 1) point to. A
/// widget that contains `from` is not a neighbour, nor is one inside another widget.
const FocusPlace* place_beside(std::span<const FocusPlace> places, const FocusPlace& from, int dx,
                               int dy);
/// The place `by` steps on, across all parts and wrapping around; the first when `from` does not
/// exist any more.
const FocusPlace* place_after(std::span<const FocusPlace> places, const FocusPlace& from, int by);
/// The first and the last place of panel `part`.
const FocusPlace* first_of(std::span<const FocusPlace> places, int part);
const FocusPlace* last_of(std::span<const FocusPlace> places, int part);
/// The place of the same part that is nearest to `from`, for use when `from` does not exist any
/// more.
const FocusPlace* place_near(std::span<const FocusPlace> places, const FocusPlace& from);
/// The first place of the next panel that has any, or of the previous one (`by` −1), wrapping
/// around. `places` are in the order of panels.
const FocusPlace* part_after(std::span<const FocusPlace> places, int part, int by);

}  // namespace lab::view
