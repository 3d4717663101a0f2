#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/view/toolkit/rect.h"

namespace lab::view {

/// The arrows that change what a widget holds; the others lead away from it.
enum class RingArrows { kNone, kAcross, kUpright };

/// A widget that the keyboard can reach.
struct RingPlace {
  int part = 0;      ///< the panel it belongs to: its place in Ui::panels
  std::string name;  ///< the widget's stable name
  Rect rect;
  RingArrows arrows = RingArrows::kNone;
};

/// What has the keys once Enter went into a widget.
enum class Inside {
  kNothing,
  kCells,  ///< the cells of a grid or map, until Esc
  kText    ///< a text field, until it is done
};

/// The keyboard's way through the window: a ring around the widget that Enter presses.
struct RingState {
  std::optional<RingPlace> on;         ///< the widget in the ring; nothing: no ring is shown
  std::vector<RingPlace> places;       ///< where it can go, as the last frame showed them
  std::vector<RingPlace> next_places;  ///< the same of this frame, as far as it is drawn
  int drawn = 0;                       ///< the panel that is being drawn
  std::map<int, std::string> last_in;  ///< the widget it was around last in each panel
  std::optional<int> last;             ///< the panel it was in last; nothing: the sentence's
  std::string pressed;                 ///< the widget that is pressed in this frame
  int change = 0;                      ///< by which arrows change the widget in this frame
  bool has_keys = false;               ///< its keys were its own in this frame
  bool moved = false;                  ///< the widget must be brought into view
  bool around_last_item = false;       ///< it is around the widget that was drawn last
  Inside inside = Inside::kNothing;    ///< what has the keys in its place …
  RingPlace entered;                   ///< … and where it comes back to
  ImVec2 pointer;                      ///< where the pointer stood when it moved last
  int patience = 0;                    ///< frames until a text field must have the keyboard
  bool alt_alone = false;              ///< Alt is held, and nothing else was pressed
};

}  // namespace lab::view
