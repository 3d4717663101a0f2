#pragma once

#include <bitset>
#include <deque>
#include <variant>
#include <vector>

#include "app/view/toolkit/imgui_compat.h"

namespace lab::platform {

/// Input events. Positions are in pixels from the top left corner of the frame.
namespace input {
struct PointerMoved {
  float x = 0, y = 0;
};
struct PointerLeft {};
struct ButtonChanged {
  int button = 0;  ///< 0 left, 1 right, 2 middle
  bool down = false;
};
struct Scrolled {
  float x = 0, y = 0;
};
struct KeyChanged {
  view::Key key = view::Key::kNone;
  bool down = false;
};
struct Typed {
  char32_t character = 0;
};
struct FocusChanged {
  bool focused = false;
};
}  // namespace input

using InputEvent =
    std::variant<input::PointerMoved, input::PointerLeft, input::ButtonChanged, input::Scrolled,
                 input::KeyChanged, input::Typed, input::FocusChanged>;

/// Holds input events until a frame takes them. Dear ImGui sees one state per frame and processes
/// it in a fixed order: the pointer, then buttons and the wheel, then typed characters, then keys.
/// A frame therefore takes events only as long as that order is equivalent to the order in which
/// they arrived, and at most one non-modifier key is pressed in it.
class InputQueue {
 public:
  /// Appends an event. Consecutive pointer moves are merged; the pointer cannot leave while a
  /// button is held, because a drag continues outside the window.
  void push(const InputEvent& event);
  /// Removes and returns the events for the next frame, in order; empty when none are pending.
  std::vector<InputEvent> take_frame();
  /// True when events are pending.
  bool pending() const { return !events_.empty(); }

 private:
  std::deque<InputEvent> events_;
  std::bitset<8> buttons_held_;
};

/// Translates the `key` (a position on a US keyboard) and `scancode` reported by GLFW to what the
/// layout of the user prints on it: Ctrl+Z is on the key labelled Z on a German keyboard too, and
/// Ctrl++ on the one labelled +. kNone for keys that are not used.
view::Key key_from_glfw(int key, int scancode);

}  // namespace lab::platform
