#pragma once

#include <span>

#include "app/view/state/focus_state.h"

// Where the ring goes from a widget. All of it is null when there is no such place.

namespace lab::view {

/// The place of that name.
const RingPlace* place_of(std::span<const RingPlace> places, const std::string& name);
/// The nearest place of the same part to the side that `dx` and `dy` (each −1, 0 or 1) point to.
/// What has `from` inside is no neighbour of it, nor is what lies inside of another widget.
const RingPlace* place_beside(std::span<const RingPlace> places, const RingPlace& from, int dx,
                              int dy);
/// The place `by` places on, across all parts and round the ends; the first when `from` is gone.
const RingPlace* place_after(std::span<const RingPlace> places, const RingPlace& from, int by);
/// The first and the last place of panel `part`.
const RingPlace* first_of(std::span<const RingPlace> places, int part);
const RingPlace* last_of(std::span<const RingPlace> places, int part);
/// The place of the same part that is nearest to `from`, for when that is gone.
const RingPlace* place_near(std::span<const RingPlace> places, const RingPlace& from);
/// The first place of the next panel that has any, or of the one before (`by` −1), round the ends.
/// `places` are in the order of panels.
const RingPlace* part_after(std::span<const RingPlace> places, int part, int by);

}  // namespace lab::view
