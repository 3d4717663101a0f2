#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/view/toolkit/rect.h"

namespace lab::view {

/// The arrow keys that change the value of a widget; the others move away from it.
enum class FocusArrows { kNone, kAcross, kUpright };

/// A widget that the keyboard can reach.
struct FocusTarget {
  int panel = 0;     ///< the panel it belongs to: its index in Ui::panels
  std::string name;  ///< the widget's stable name
  Rect rect;
  FocusArrows arrows = FocusArrows::kNone;
  bool is_field = false;  ///< Tab goes inside, so that a form is filled in without Enter
};

/// What receives the keys after Enter has entered a widget.
enum class Inside {
  kNothing,
  kCells,  ///< the cells of a grid or map, until Esc
  kText    ///< a text field, until typing ends
};

/// Keyboard navigation in the window: a focus ring around the widget that Enter presses.
struct KeyboardFocus {
  std::optional<FocusTarget> on;     ///< the widget with the keyboard focus; unset: none is shown
  std::vector<FocusTarget> targets;  ///< the widgets it can move to, from the last frame
  std::vector<FocusTarget> next_targets;  ///< the same for this frame, as far as it is drawn
  int drawn = 0;                          ///< the panel that is being drawn
  std::map<int, std::string> last_in;     ///< the last widget with the keyboard focus in each panel
  std::optional<int> last;  ///< the last panel that had the keyboard focus; unset: the sentence's
  std::string pressed;      ///< the widget that is pressed in this frame
  int change = 0;           ///< the steps by which arrows change the widget in this
                            ///< frame
  bool has_keys = false;    ///< it handled its keys in this frame
  bool moved = false;       ///< the widget must be scrolled into view
  bool around_last_item = false;     ///< it is around the widget that was drawn last
  Inside inside = Inside::kNothing;  ///< what receives the keys instead …
  FocusTarget entered;               ///< … and where the keyboard focus returns to
  ImVec2 pointer;                    ///< the last position of the pointer
  int frames_left = 0;               ///< frames until a text field must have the keyboard focus
  std::string typed_in;              ///< the text field that had the keys in the last frame
  std::string next_typed_in;         ///< the same in this frame
  std::string tab_to;                ///< where the next Tab goes: from what was clicked last, or
                                     ///< when a step of a lesson begins; empty: as usual
  bool alt_alone = false;            ///< Alt is held and nothing else was pressed
};

}  // namespace lab::view
