#pragma once

#include <imgui.h>

#include <vector>

namespace lab::view {

/// Keeps what is typed between the frame in which a text field is given the keyboard focus and the
/// one in which it has it: Dear ImGui needs some frames for that and would lose the text.
class EarlyText {
 public:
  /// Gives the keyboard focus to the text field that is drawn next, or `offset` fields later.
  void give_keyboard(int offset = 0);
  /// Keeps what is typed from the next frame on for a field that is drawn, and given the keyboard
  /// focus, no sooner than then.
  void expect();
  /// True until that field has the focus, or has failed to get it.
  bool waits() const { return waits_; }
  /// Call at the start of a frame: keeps what was typed for the field, or gives it everything that
  /// was kept.
  void settle();

 private:
  void keep();
  void hand_over();

  bool waits_ = false;
  bool expected_ = false;      // the field is not drawn yet
  int last_frame_ = 0;         // a field without the focus by then will never get it
  std::vector<ImWchar> kept_;  // in ImGui's units
};

}  // namespace lab::view
