#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/window/window_panels.h"

namespace lab {

/// The example in the window, used with keys only.
class Keyboard : public testing::Test {
 protected:
  explicit Keyboard(ImVec2 size = {1600, 1000}) : screen(*open_document("refer"), size) {}

  ViewState& state() { return screen.view.state(); }
  // The widget with the keyboard focus; empty while there is none.
  std::string keyboard_focus() {
    return state().keyboard_focus.on ? state().keyboard_focus.on->name : "";
  }
  // The panel of that widget; empty while there is none.
  std::string panel_with_focus() {
    const auto& on = state().keyboard_focus.on;
    return on ? std::string(all_panels()[static_cast<std::size_t>(on->panel)]->name) : "";
  }
  // Moves the keyboard focus to the widget of that name with Tab only.
  void lead_to(const std::string& name) {
    for (int i = 0; i < 1000 && keyboard_focus() != name; ++i) screen.key(Key::kTab);
    ASSERT_EQ(keyboard_focus(), name);
  }
  void press(const std::string& name, bool ctrl = false) {
    lead_to(name);
    screen.key(Key::kEnter, ctrl);
    screen.frames(3);
  }
  void apply(const Command& command) {
    screen.workspace.queue(intent::Apply{command});
    screen.frames(2);
  }
  // Goes once through all widgets with Tab. Returns the names that the keyboard focus was on.
  std::set<std::string> walk(std::set<std::string>& on_screen) {
    std::set<std::string> reached;
    screen.key(Key::kF6);
    for (int i = 0; i < 2000 && reached.insert(keyboard_focus()).second; ++i) {
      for (const auto& [name, rect] : screen.view.widgets().widgets()) on_screen.insert(name);
      screen.key(Key::kTab);
    }
    return reached;
  }

  Screen screen;
};

}  // namespace lab
