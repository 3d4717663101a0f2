#pragma once

#include <imgui.h>

namespace lab::view {

/// A rectangle in window pixels.
struct Rect {
  float x = 0, y = 0, w = 0, h = 0;

  /// Top left and bottom right corner.
  ImVec2 min() const { return {x, y}; }
  /// The bottom right corner.
  ImVec2 max() const { return {x + w, y + h}; }
  /// The x just beyond the right edge.
  float right() const { return x + w; }
  /// The y just below the bottom edge.
  float bottom() const { return y + h; }
  /// True when the point lies inside.
  bool contains(ImVec2 p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
  /// The rectangle made smaller by `d` on every side.
  Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
  /// Cuts a strip off one side and returns it; this keeps the remainder.
  Rect cut_top(float height);
  /// The same at the bottom.
  Rect cut_bottom(float height);
  /// The same at the left.
  Rect cut_left(float width);
  /// The same at the right.
  Rect cut_right(float width);
};

inline Rect Rect::cut_top(float height) {
  Rect strip{x, y, w, height};
  y += height;
  h -= height;
  return strip;
}

inline Rect Rect::cut_bottom(float height) {
  h -= height;
  return {x, y + h, w, height};
}

inline Rect Rect::cut_left(float width) {
  Rect strip{x, y, width, h};
  x += width;
  w -= width;
  return strip;
}

inline Rect Rect::cut_right(float width) {
  w -= width;
  return {x + w, y, width, h};
}

}  // namespace lab::view
