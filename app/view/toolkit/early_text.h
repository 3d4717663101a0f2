#pragma once

#include <imgui.h>

#include <vector>

namespace lab::view {

/// What is typed between the frame in which a text field is given the keyboard and the one in which
/// it has it: Dear ImGui takes some frames for that, and would lose it.
class EarlyText {
 public:
  /// Gives the keyboard to the text field that is drawn next, or `offset` fields after that.
  void give_keyboard(int offset = 0);
  /// True until that field has the keyboard, or has not taken it.
  bool waits() const { return waits_; }
  /// Begins a frame: keeps what was typed in it for the field, or hands
  /// it all that was kept.
  void settle();

 private:
  void keep();
  void hand_over();

  bool waits_ = false;
  int last_frame_ = 0;         // a field that does not have the keyboard by then never will
  std::vector<ImWchar> kept_;  // in ImGui's units
};

}  // namespace lab::view
