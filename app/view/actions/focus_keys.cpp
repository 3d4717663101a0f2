#include "app/view/actions/actions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_moves.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

const PanelInfo& panel_at(const Ui& ui, int panel) {
  return *ui.panels[static_cast<std::size_t>(panel)];
}

// The widget at which the keyboard focus first enters a panel.
std::string default_target(const Ui& ui, int panel) {
  const auto entrance = panel_at(ui, panel).entrance;
  return entrance != nullptr ? entrance(ui.state) : std::string();
}

const FocusTarget* entrance(const Ui& ui, int panel) {
  const KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  const auto before = keyboard_focus.last_in.find(panel);
  if (before != keyboard_focus.last_in.end()) {
    if (const FocusTarget* target = target_named(keyboard_focus.targets, before->second))
      return target;
  }
  const FocusTarget* first_choice = target_named(keyboard_focus.targets, default_target(ui, panel));
  return first_choice != nullptr ? first_choice : first_of(keyboard_focus.targets, panel);
}

// The panel that has the keys, or had them last.
int panel_with_keys(const Ui& ui) {
  const KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  if (keyboard_focus.on) return keyboard_focus.on->panel;
  if (keyboard_focus.inside != Inside::kNothing) return keyboard_focus.entered.panel;
  const auto typed_into = std::ranges::find_if(ui.panels, [&ui](const PanelInfo* panel) {
    return panel->has_keys != nullptr && panel->has_keys(ui.state);
  });
  if (typed_into != ui.panels.end()) return static_cast<int>(typed_into - ui.panels.begin());
  return keyboard_focus.last ? *keyboard_focus.last : panel_index(ui, "sentence");
}

void show_keyboard_focus(Ui& ui, const FocusTarget* target) {
  if (target == nullptr) return;
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  compat::leave_text_field();
  ui.state.edit.focused = ui.state.overriding.focused = false;
  ui.state.requests.withdraw<request::GiveKeyboard>();
  keyboard_focus.inside = Inside::kNothing;
  keyboard_focus.on = *target;
  keyboard_focus.pointer = ImGui::GetIO().MousePos;
  keyboard_focus.last = target->panel;
  keyboard_focus.last_in[target->panel] = target->name;
  keyboard_focus.moved = true;
}

// The widget with the keyboard focus may have moved, or not exist any more: then the nearest one
// gets it.
void follow_widget(KeyboardFocus& keyboard_focus) {
  if (!keyboard_focus.on) return;
  const FocusTarget* same = target_named(keyboard_focus.targets, keyboard_focus.on->name);
  const FocusTarget* target =
      same != nullptr ? same : target_near(keyboard_focus.targets, *keyboard_focus.on);
  keyboard_focus.on = target != nullptr ? std::optional(*target) : std::nullopt;
}

bool types_text(const ViewState& state) {
  return state.edit.typing || state.overriding.typing || state.early_text.waits() ||
         compat::text_field_has_keys();
}

// Esc leaves cells; a text field releases the keys by itself.
void come_out(Ui& ui) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  keyboard_focus.frames_left = std::max(0, keyboard_focus.frames_left - 1);
  const bool typing = types_text(ui.state);
  const bool leaves_cells = keyboard_focus.inside == Inside::kCells && !typing &&
                            !is_dragging(ui) && compat::key_pressed(Key::kEscape, false);
  const bool text_done =
      keyboard_focus.inside == Inside::kText && !typing && keyboard_focus.frames_left == 0;
  if (!leaves_cells && !text_done) return;
  keyboard_focus.has_keys = leaves_cells;
  const FocusTarget back = keyboard_focus.entered;
  show_keyboard_focus(ui, &back);
}

// Moves the keyboard focus to `target`, and into it if it is a field.
void go_by_tab(Ui& ui, const FocusTarget* target) {
  show_keyboard_focus(ui, target);
  if (target != nullptr && target->is_field) ui.state.keyboard_focus.pressed = target->name;
}

struct Arrow {
  Key key;
  int dx, dy;
};
constexpr std::array kArrows{Arrow{Key::kLeft, -1, 0}, Arrow{Key::kRight, 1, 0},
                             Arrow{Key::kUp, 0, -1}, Arrow{Key::kDown, 0, 1}};

bool changes(const FocusTarget& target, const Arrow& arrow) {
  return target.arrows == (arrow.dx != 0 ? FocusArrows::kAcross : FocusArrows::kUpright);
}

void handle_arrow(Ui& ui, const Arrow& arrow) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  keyboard_focus.tab_to.clear();
  const FocusTarget from = *keyboard_focus.on;
  const bool in_top_bar = panel_at(ui, from.panel).region == PanelRegion::kTop;
  const bool opens = arrow.dy > 0 && in_top_bar && from.name.starts_with("menu/");
  if (changes(from, arrow)) {
    keyboard_focus.change = arrow.dx + arrow.dy;
  } else if (opens) {
    keyboard_focus.pressed = from.name;
  } else {
    show_keyboard_focus(ui, target_beside(keyboard_focus.targets, from, arrow.dx, arrow.dy));
  }
}

// Handles the keys of a visible focus ring. With Ctrl or Alt they are shortcuts, except that
// Ctrl+Enter presses like a Ctrl + click.
void handle_keys(Ui& ui) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  const ImGuiIO& io = ImGui::GetIO();
  const FocusTarget from = *keyboard_focus.on;
  if (compat::enter_pressed() || compat::key_pressed(Key::kSpace, false)) {
    keyboard_focus.pressed = from.name;
    keyboard_focus.tab_to.clear();
  }
  if (compat::key_pressed(Key::kEscape, false)) return hide_keyboard_focus(keyboard_focus);
  if (io.KeyCtrl || io.KeyAlt) return;
  for (const Arrow& arrow : kArrows) {
    if (compat::key_pressed(arrow.key)) return handle_arrow(ui, arrow);
  }
  if (compat::key_pressed(Key::kTab)) {
    const FocusTarget* target =
        target_named(keyboard_focus.targets, std::exchange(keyboard_focus.tab_to, {}));
    const bool leads = target != nullptr && !io.KeyShift;
    go_by_tab(ui,
              leads ? target : target_after(keyboard_focus.targets, from, io.KeyShift ? -1 : 1));
  }
  if (compat::key_pressed(Key::kHome, false))
    show_keyboard_focus(ui, first_of(keyboard_focus.targets, from.panel));
  if (compat::key_pressed(Key::kEnd, false))
    show_keyboard_focus(ui, last_of(keyboard_focus.targets, from.panel));
}

// Tab moves on from the text field that is being typed in; otherwise it shows the keyboard focus
// where it was last, unless a cell or a number handles it.
void handle_first_tab(Ui& ui) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  const bool taken = ui.state.edit.focused || ui.state.overriding.typing || is_dragging(ui);
  const ImGuiIO& io = ImGui::GetIO();
  if (taken || io.KeyCtrl || io.KeyAlt || !compat::key_pressed(Key::kTab, false)) return;
  if (!commit_pending(ui)) return;
  const FocusTarget* target =
      target_named(keyboard_focus.targets, std::exchange(keyboard_focus.tab_to, {}));
  if (target != nullptr && !io.KeyShift) return go_by_tab(ui, target);
  const FocusTarget* from = target_named(keyboard_focus.targets, keyboard_focus.typed_in);
  if (from == nullptr) return show_keyboard_focus(ui, entrance(ui, panel_with_keys(ui)));
  go_by_tab(ui, target_after(keyboard_focus.targets, *from, io.KeyShift ? -1 : 1));
}

// Pressing and releasing Alt alone moves to the menus, as in other programs.
void handle_alt(Ui& ui) {
  bool& alone = ui.state.keyboard_focus.alt_alone;
  if (ImGui::IsAnyMouseDown()) alone = false;
  for (int key = 1; alone && key < static_cast<int>(Key::kCount); ++key) {
    const auto other = static_cast<Key>(key);
    if (other != Key::kLeftAlt && compat::key_down(other)) alone = false;
  }
  if (compat::key_pressed(Key::kLeftAlt, false)) alone = true;
  if (!compat::key_released(Key::kLeftAlt)) return;
  if (std::exchange(alone, false)) go_to_menus(ui);
}

}  // namespace

void go_to_panel(Ui& ui, int by) {
  if (popup_has_keys(ui) || !commit_pending(ui)) return;
  ui.state.keyboard_focus.tab_to.clear();
  const FocusTarget* next = panel_after(ui.state.keyboard_focus.targets, panel_with_keys(ui), by);
  if (next != nullptr) show_keyboard_focus(ui, entrance(ui, next->panel));
}

void go_to_menus(Ui& ui) {
  if (popup_has_keys(ui) || !commit_pending(ui)) return;
  show_keyboard_focus(ui, first_of(ui.state.keyboard_focus.targets, panel_index(ui, "top_bar")));
}

void handle_focus_keys(Ui& ui) {
  KeyboardFocus& keyboard_focus = ui.state.keyboard_focus;
  keyboard_focus.has_keys = false;
  keyboard_focus.pressed.clear();
  keyboard_focus.change = 0;
  if (ui.state.dialog.open != Dialog::kNone || popup_has_keys(ui)) return;
  if (ImGui::IsMouseClicked(0)) hide_keyboard_focus(keyboard_focus), keyboard_focus.tab_to.clear();
  follow_widget(keyboard_focus);
  if (keyboard_focus.on) {
    keyboard_focus.has_keys = true;
    handle_keys(ui);
  } else {
    come_out(ui);
    if (!keyboard_focus.on) handle_first_tab(ui);
  }
  handle_alt(ui);
}

}  // namespace lab::view
