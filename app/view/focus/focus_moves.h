#pragma once

#include <span>

#include "app/view/state/focus_state.h"

// Where the ring goes from a widget. All functions return null when there is no such place.

namespace lab::view {

/// The place with that name.
const RingPlace* place_of(std::span<const RingPlace> places, const std::string& name);
/// The nearest place of the same part to the side that `dx` and `dy` (each −1, 0 or 1) point to. A
/// widget that contains `from` is not a neighbour, nor is one inside another widget.
const RingPlace* place_beside(std::span<const RingPlace> places, const RingPlace& from, int dx,
                              int dy);
/// The place `by` steps on, across all parts and wrapping around; the first when `from` does not
/// exist any more.
const RingPlace* place_after(std::span<const RingPlace> places, const RingPlace& from, int by);
/// The first and the last place of panel `part`.
const RingPlace* first_of(std::span<const RingPlace> places, int part);
const RingPlace* last_of(std::span<const RingPlace> places, int part);
/// The place of the same part that is nearest to `from`, for use when `from` does not exist any
/// more.
const RingPlace* place_near(std::span<const RingPlace> places, const RingPlace& from);
/// The first place of the next panel that has any, or of the previous one (`by` −1), wrapping
/// around. `places` are in the order of panels.
const RingPlace* part_after(std::span<const RingPlace> places, int part, int by);

}  // namespace lab::view
