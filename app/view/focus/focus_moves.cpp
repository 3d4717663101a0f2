#include "app/view/focus/focus_moves.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lab::view {
namespace {

ImVec2 centre(const Rect& rect) { return {rect.x + rect.w / 2, rect.y + rect.h / 2}; }

bool holds(const Rect& outer, const Rect& inner) {
  return outer.x <= inner.x && outer.y <= inner.y && outer.right() >= inner.right() &&
         outer.bottom() >= inner.bottom();
}

// The pixels between two intervals; negative: the length of their overlap.
float gap(float a, float a_end, float b, float b_end) { return std::max(b - a_end, a - b_end); }

// The effort of moving to `to` in that direction: less straight ahead than diagonally. Sideways,
// widgets on the same line come before all others.
float effort(const Rect& from, const Rect& to, bool across) {
  constexpr float kAslant = 3, kCentres = 0.1f, kOtherLine = 1e5f;
  const float x_gap = gap(from.x, from.right(), to.x, to.right());
  const float y_gap = gap(from.y, from.bottom(), to.y, to.bottom());
  const float x = std::max(x_gap, 0.0f), y = std::max(y_gap, 0.0f);
  const ImVec2 a = centre(from), b = centre(to);
  const float centres = kCentres * std::hypot(a.x - b.x, a.y - b.y);
  if (!across) return y + kAslant * x + centres;
  return x + kAslant * y + centres + (y_gap > -1 ? kOtherLine : 0);
}

template <typename Measure>
const FocusPlace* least(std::span<const FocusPlace> places, Measure measure) {
  const FocusPlace* best = nullptr;
  float smallest = std::numeric_limits<float>::infinity();
  for (const FocusPlace& place : places) {
    const float size = measure(place);
    if (size < smallest) best = &place;
    smallest = std::min(smallest, size);
  }
  return best;
}

// True when `to` is inside a widget that does not contain `from`, or contains `from`.
bool is_within(std::span<const FocusPlace> places, const FocusPlace& from, const FocusPlace& to) {
  return holds(to.rect, from.rect) || std::ranges::any_of(places, [&](const FocusPlace& other) {
           const bool apart = other.part == to.part && other.name != to.name;
           const bool from_inside = other.name != from.name && holds(other.rect, from.rect);
           return apart && holds(other.rect, to.rect) && !from_inside;
         });
}

constexpr float kNever = std::numeric_limits<float>::infinity();

}  // namespace

const FocusPlace* place_of(std::span<const FocusPlace> places, const std::string& name) {
  const auto found = std::ranges::find(places, name, &FocusPlace::name);
  return found == places.end() ? nullptr : &*found;
}

const FocusPlace* place_beside(std::span<const FocusPlace> places, const FocusPlace& from, int dx,
                               int dy) {
  return least(places, [&](const FocusPlace& to) {
    const ImVec2 a = centre(from.rect), b = centre(to.rect);
    const float ahead = (b.x - a.x) * static_cast<float>(dx) + (b.y - a.y) * static_cast<float>(dy);
    const bool fits = to.part == from.part && ahead >= 1 && !is_within(places, from, to);
    return fits ? effort(from.rect, to.rect, dx != 0) : kNever;
  });
}

const FocusPlace* place_after(std::span<const FocusPlace> places, const FocusPlace& from, int by) {
  if (places.empty()) return nullptr;
  const FocusPlace* here = place_of(places, from.name);
  if (here == nullptr) return &places.front();
  const auto count = static_cast<int>(places.size());
  const auto at = static_cast<int>(here - places.data());
  return &places[static_cast<std::size_t>((at + by % count + count) % count)];
}

const FocusPlace* first_of(std::span<const FocusPlace> places, int part) {
  const auto found = std::ranges::find(places, part, &FocusPlace::part);
  return found == places.end() ? nullptr : &*found;
}

const FocusPlace* last_of(std::span<const FocusPlace> places, int part) {
  const auto found = std::find_if(places.rbegin(), places.rend(),
                                  [part](const FocusPlace& one) { return one.part == part; });
  return found == places.rend() ? nullptr : &*found;
}

const FocusPlace* place_near(std::span<const FocusPlace> places, const FocusPlace& from) {
  return least(places, [&](const FocusPlace& to) {
    return to.part == from.part ? effort(from.rect, to.rect, true) : kNever;
  });
}

const FocusPlace* part_after(std::span<const FocusPlace> places, int part, int by) {
  if (places.empty()) return nullptr;
  if (by > 0) {
    const auto next = std::ranges::upper_bound(places, part, {}, &FocusPlace::part);
    return next == places.end() ? &places.front() : &*next;
  }
  const auto here = std::ranges::lower_bound(places, part, {}, &FocusPlace::part);
  return first_of(places, here == places.begin() ? places.back().part : std::prev(here)->part);
}

}  // namespace lab::view
