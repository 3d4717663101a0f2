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
const FocusTarget* least(std::span<const FocusTarget> targets, Measure measure) {
  const FocusTarget* best = nullptr;
  float smallest = std::numeric_limits<float>::infinity();
  for (const FocusTarget& target : targets) {
    const float size = measure(target);
    if (size < smallest) best = &target;
    smallest = std::min(smallest, size);
  }
  return best;
}

// True when `to` is inside a widget that does not contain `from`, or contains `from`.
bool is_within(std::span<const FocusTarget> targets, const FocusTarget& from,
               const FocusTarget& to) {
  return holds(to.rect, from.rect) || std::ranges::any_of(targets, [&](const FocusTarget& other) {
           const bool apart = other.panel == to.panel && other.name != to.name;
           const bool from_inside = other.name != from.name && holds(other.rect, from.rect);
           return apart && holds(other.rect, to.rect) && !from_inside;
         });
}

constexpr float kNever = std::numeric_limits<float>::infinity();

}  // namespace

const FocusTarget* target_named(std::span<const FocusTarget> targets, const std::string& name) {
  const auto found = std::ranges::find(targets, name, &FocusTarget::name);
  return found == targets.end() ? nullptr : &*found;
}

const FocusTarget* target_beside(std::span<const FocusTarget> targets, const FocusTarget& from,
                                 int dx, int dy) {
  return least(targets, [&](const FocusTarget& to) {
    const ImVec2 a = centre(from.rect), b = centre(to.rect);
    const float ahead = (b.x - a.x) * static_cast<float>(dx) + (b.y - a.y) * static_cast<float>(dy);
    const bool fits = to.panel == from.panel && ahead >= 1 && !is_within(targets, from, to);
    return fits ? effort(from.rect, to.rect, dx != 0) : kNever;
  });
}

const FocusTarget* target_after(std::span<const FocusTarget> targets, const FocusTarget& from,
                                int by) {
  if (targets.empty()) return nullptr;
  const FocusTarget* here = target_named(targets, from.name);
  if (here == nullptr) return &targets.front();
  const auto count = static_cast<int>(targets.size());
  const auto at = static_cast<int>(here - targets.data());
  return &targets[static_cast<std::size_t>((at + by % count + count) % count)];
}

const FocusTarget* first_of(std::span<const FocusTarget> targets, int panel) {
  const auto found = std::ranges::find(targets, panel, &FocusTarget::panel);
  return found == targets.end() ? nullptr : &*found;
}

const FocusTarget* last_of(std::span<const FocusTarget> targets, int panel) {
  const auto found = std::find_if(targets.rbegin(), targets.rend(),
                                  [panel](const FocusTarget& one) { return one.panel == panel; });
  return found == targets.rend() ? nullptr : &*found;
}

const FocusTarget* target_near(std::span<const FocusTarget> targets, const FocusTarget& from) {
  return least(targets, [&](const FocusTarget& to) {
    return to.panel == from.panel ? effort(from.rect, to.rect, true) : kNever;
  });
}

const FocusTarget* panel_after(std::span<const FocusTarget> targets, int panel, int by) {
  if (targets.empty()) return nullptr;
  if (by > 0) {
    const auto next = std::ranges::upper_bound(targets, panel, {}, &FocusTarget::panel);
    return next == targets.end() ? &targets.front() : &*next;
  }
  const auto here = std::ranges::lower_bound(targets, panel, {}, &FocusTarget::panel);
  return first_of(targets, here == targets.begin() ? targets.back().panel : std::prev(here)->panel);
}

}  // namespace lab::view
