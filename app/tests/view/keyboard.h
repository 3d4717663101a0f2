#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/view/window/panels.h"

namespace lab {

/// The example in the window, used with keys only.
class Keyboard : public testing::Test {
 protected:
  explicit Keyboard(ImVec2 size = {1600, 1000}) : screen(*open_document("refer"), size) {}

  ViewState& state() { return screen.view.state(); }
  // The widget in the ring; empty while there is none.
  std::string ring() { return state().ring.on ? state().ring.on->name : ""; }
  // The panel of that widget; empty while there is none.
  std::string panel_in_ring() {
    const auto& on = state().ring.on;
    return on ? std::string(all_panels()[static_cast<std::size_t>(on->part)]->name) : "";
  }
  // Moves the ring to the widget of that name with Tab only.
  void lead_to(const std::string& name) {
    for (int i = 0; i < 1000 && ring() != name; ++i) screen.key(Key::kTab);
    ASSERT_EQ(ring(), name);
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
  // Goes once through all widgets with Tab. Returns the names that the ring was around.
  std::set<std::string> walk(std::set<std::string>& on_screen) {
    std::set<std::string> reached;
    screen.key(Key::kF6);
    for (int i = 0; i < 2000 && reached.insert(ring()).second; ++i) {
      for (const auto& [name, rect] : screen.view.widgets().widgets()) on_screen.insert(name);
      screen.key(Key::kTab);
    }
    return reached;
  }

  Screen screen;
};

}  // namespace lab
