#include "app/view/actions/ring_keys.h"

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

const PanelInfo& panel_at(const Ui& ui, int part) {
  return *ui.panels[static_cast<std::size_t>(part)];
}

// The widget at which the ring first enters a panel.
std::string usual_place(const Ui& ui, int part) {
  const auto entrance = panel_at(ui, part).entrance;
  return entrance != nullptr ? entrance(ui.state) : std::string();
}

const RingPlace* entrance(const Ui& ui, int part) {
  const RingState& ring = ui.state.ring;
  const auto before = ring.last_in.find(part);
  if (before != ring.last_in.end()) {
    if (const RingPlace* place = place_of(ring.places, before->second)) return place;
  }
  const RingPlace* usual = place_of(ring.places, usual_place(ui, part));
  return usual != nullptr ? usual : first_of(ring.places, part);
}

// The panel that has the keys, or had them last.
int part_with_keys(const Ui& ui) {
  const RingState& ring = ui.state.ring;
  if (ring.on) return ring.on->part;
  if (ring.inside != Inside::kNothing) return ring.entered.part;
  const auto typed_into = std::ranges::find_if(ui.panels, [&ui](const PanelInfo* panel) {
    return panel->has_keys != nullptr && panel->has_keys(ui.state);
  });
  if (typed_into != ui.panels.end()) return static_cast<int>(typed_into - ui.panels.begin());
  return ring.last ? *ring.last : panel_index(ui, "sentence");
}

void show_ring(Ui& ui, const RingPlace* place) {
  if (place == nullptr) return;
  RingState& ring = ui.state.ring;
  compat::leave_text_field();
  ui.state.edit.focused = ui.state.overriding.focused = false;
  ui.state.requests.withdraw<request::GiveKeyboard>();
  ring.inside = Inside::kNothing;
  ring.on = *place;
  ring.pointer = ImGui::GetIO().MousePos;
  ring.last = place->part;
  ring.last_in[place->part] = place->name;
  ring.moved = true;
}

// The widget with the ring may have moved, or not exist any more: then the nearest one gets it.
void follow_widget(RingState& ring) {
  if (!ring.on) return;
  const RingPlace* same = place_of(ring.places, ring.on->name);
  const RingPlace* place = same != nullptr ? same : place_near(ring.places, *ring.on);
  ring.on = place != nullptr ? std::optional(*place) : std::nullopt;
}

bool types_text(const ViewState& state) {
  return state.edit.typing || state.overriding.typing || state.early_text.waits() ||
         compat::text_field_has_keys();
}

// Esc leaves cells; a text field releases the keys by itself.
void come_out(Ui& ui) {
  RingState& ring = ui.state.ring;
  ring.frames_left = std::max(0, ring.frames_left - 1);
  const bool typing = types_text(ui.state);
  const bool leaves_cells = ring.inside == Inside::kCells && !typing && !is_dragging(ui) &&
                            compat::key_pressed(Key::kEscape, false);
  const bool text_done = ring.inside == Inside::kText && !typing && ring.frames_left == 0;
  if (!leaves_cells && !text_done) return;
  ring.has_keys = leaves_cells;
  const RingPlace back = ring.entered;
  show_ring(ui, &back);
}

// The ring at `place`, or inside it if it is to be filled in.
void go_by_tab(Ui& ui, const RingPlace* place) {
  show_ring(ui, place);
  if (place != nullptr && place->is_field) ui.state.ring.pressed = place->name;
}

struct Arrow {
  Key key;
  int dx, dy;
};
constexpr std::array kArrows{Arrow{Key::kLeft, -1, 0}, Arrow{Key::kRight, 1, 0},
                             Arrow{Key::kUp, 0, -1}, Arrow{Key::kDown, 0, 1}};

bool changes(const RingPlace& place, const Arrow& arrow) {
  return place.arrows == (arrow.dx != 0 ? RingArrows::kAcross : RingArrows::kUpright);
}

void handle_arrow(Ui& ui, const Arrow& arrow) {
  RingState& ring = ui.state.ring;
  ring.tab_to.clear();
  const RingPlace from = *ring.on;
  const bool in_top_bar = panel_at(ui, from.part).place == PanelPlace::kTop;
  const bool opens = arrow.dy > 0 && in_top_bar && from.name.starts_with("menu/");
  if (changes(from, arrow)) {
    ring.change = arrow.dx + arrow.dy;
  } else if (opens) {
    ring.pressed = from.name;
  } else {
    show_ring(ui, place_beside(ring.places, from, arrow.dx, arrow.dy));
  }
}

// Handles the keys of a visible ring. With Ctrl or Alt they are shortcuts, except that Ctrl+Enter
// presses like a Ctrl + click.
void handle_keys(Ui& ui) {
  RingState& ring = ui.state.ring;
  const ImGuiIO& io = ImGui::GetIO();
  const RingPlace from = *ring.on;
  if (compat::enter_pressed() || compat::key_pressed(Key::kSpace, false)) {
    ring.pressed = from.name;
    ring.tab_to.clear();
  }
  if (compat::key_pressed(Key::kEscape, false)) return hide_ring(ring);
  if (io.KeyCtrl || io.KeyAlt) return;
  for (const Arrow& arrow : kArrows) {
    if (compat::key_pressed(arrow.key)) return handle_arrow(ui, arrow);
  }
  if (compat::key_pressed(Key::kTab)) {
    const RingPlace* wanted = place_of(ring.places, std::exchange(ring.tab_to, {}));
    const bool leads = wanted != nullptr && !io.KeyShift;
    go_by_tab(ui, leads ? wanted : place_after(ring.places, from, io.KeyShift ? -1 : 1));
  }
  if (compat::key_pressed(Key::kHome, false)) show_ring(ui, first_of(ring.places, from.part));
  if (compat::key_pressed(Key::kEnd, false)) show_ring(ui, last_of(ring.places, from.part));
}

// Tab moves on from the text field that is being typed in; otherwise it shows the ring where it was
// last, unless a cell or a number handles it.
void handle_first_tab(Ui& ui) {
  RingState& ring = ui.state.ring;
  const bool taken = ui.state.edit.focused || ui.state.overriding.typing || is_dragging(ui);
  const ImGuiIO& io = ImGui::GetIO();
  if (taken || io.KeyCtrl || io.KeyAlt || !compat::key_pressed(Key::kTab, false)) return;
  if (!commit_pending(ui)) return;
  const RingPlace* wanted = place_of(ring.places, std::exchange(ring.tab_to, {}));
  if (wanted != nullptr && !io.KeyShift) return go_by_tab(ui, wanted);
  const RingPlace* from = place_of(ring.places, ring.typed_in);
  if (from == nullptr) return show_ring(ui, entrance(ui, part_with_keys(ui)));
  go_by_tab(ui, place_after(ring.places, *from, io.KeyShift ? -1 : 1));
}

// Pressing and releasing Alt alone moves to the menus, as in other programs.
void handle_alt(Ui& ui) {
  bool& alone = ui.state.ring.alt_alone;
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

void go_to_part(Ui& ui, int by) {
  if (popup_has_keys(ui) || !commit_pending(ui)) return;
  ui.state.ring.tab_to.clear();
  const RingPlace* next = part_after(ui.state.ring.places, part_with_keys(ui), by);
  if (next != nullptr) show_ring(ui, entrance(ui, next->part));
}

void go_to_menus(Ui& ui) {
  if (popup_has_keys(ui) || !commit_pending(ui)) return;
  show_ring(ui, first_of(ui.state.ring.places, panel_index(ui, "top_bar")));
}

void handle_ring_keys(Ui& ui) {
  RingState& ring = ui.state.ring;
  ring.has_keys = false;
  ring.pressed.clear();
  ring.change = 0;
  if (ui.state.dialog.open != Dialog::kNone || popup_has_keys(ui)) return;
  if (ImGui::IsMouseClicked(0)) hide_ring(ring), ring.tab_to.clear();
  follow_widget(ring);
  if (ring.on) {
    ring.has_keys = true;
    handle_keys(ui);
  } else {
    come_out(ui);
    if (!ring.on) handle_first_tab(ui);
  }
  handle_alt(ui);
}

}  // namespace lab::view
