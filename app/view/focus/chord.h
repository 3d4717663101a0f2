#pragma once

#include <string>

#include "app/view/toolkit/imgui_compat.h"

namespace lab::view {

/// A key with its modifiers.
struct Chord {
  Key key = Key::kNone;
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
};

/// "Ctrl+Shift+Z"; empty without a key.
std::string chord_text(const Chord& chord);
/// True when it was pressed in this frame, with those modifiers and no others; + − 0 [ ] when they
/// were typed, on whatever key the layout has them.
bool chord_pressed(const Chord& chord);
/// True for F1 … F12.
bool is_function_key(Key key);

}  // namespace lab::view
