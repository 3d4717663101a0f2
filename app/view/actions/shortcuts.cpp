#include <algorithm>

#include "app/view/actions/actions.h"
#include "app/view/editor/go_to.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/present/present.h"
#include "app/view/sentence/batch_menu.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

// The grid also uses keys without Ctrl.
bool plain_keys_are_free(const Ui& ui) { return keys_are_free(ui) && !ui.state.edit.focused; }

// A number being typed is committed before a file is written, and is the first thing undo reverts;
// during a drag nothing happens.
bool pending_makes_way(Ui& ui, const Action& action) {
  if (action.id == "edit.undo" || action.id == "edit.redo") return !cancel_pending(ui);
  if (action.menu == "File" || action.menu == "Edit") return commit_pending(ui);
  return !is_dragging(ui);
}

bool has_keys(const Ui& ui, const Action& action, bool plain_free) {
  if (action.has_key != nullptr) return action.has_key(ui);
  const Chord& chord = action.chord;
  if (chord.ctrl || chord.alt || is_function_key(chord.key)) return true;
  return plain_free && !belongs_to_focus(ui.state, chord.key) &&
         !belongs_to_present(ui.state, chord.key);
}

void focus_head_by_digit(Ui& ui) {
  for (int digit = 1; digit <= std::min(9, ui.problem().config.n_heads); ++digit) {
    if (compat::key_pressed(offset_key(Key::k0, digit), false)) ui.state.head = digit - 1;
  }
}

// In a trained model, and in arrays with several layers, these keys lead to other layers.
void turn_sentence(Ui& ui) {
  if (!has_batch(ui) || belongs_to_present(ui.state, Key::kPageDown)) return;
  if (is_enabled(ui, action("model.layer_down"))) return;
  if (compat::key_pressed(Key::kPageUp)) go_by_sentences(ui, -1);
  if (compat::key_pressed(Key::kPageDown)) go_by_sentences(ui, 1);
}

}  // namespace

bool keys_are_free(const Ui& ui) {
  return !compat::text_field_has_keys() && !ui.state.temperature_text &&
         !ui.state.model.adapter_text && !ui.state.heads.scale_text && !popup_has_keys(ui) &&
         !ui.state.overriding.typing && !is_dragging(ui) && !ui.state.early_text.waits();
}

void run_shortcuts(Ui& ui) {
  if (ui.state.dialog.open != Dialog::kNone) return;
  const bool plain_free = plain_keys_are_free(ui);
  for (const Action& action : all_actions()) {
    if (!has_keys(ui, action, plain_free) || !chord_pressed(action.chord)) continue;
    if (!pending_makes_way(ui, action)) continue;
    if (is_enabled(ui, action)) action.execute(ui);
  }
  const bool redo_too =
      ImGui::GetIO().KeyCtrl && !ImGui::GetIO().KeyShift && compat::key_pressed(Key::kY);
  if (redo_too && pending_makes_way(ui, action("edit.redo")) && is_enabled(ui, action("edit.redo")))
    ui.queue(intent::Redo{});
  if (plain_free && !ImGui::GetIO().KeyCtrl && !ImGui::GetIO().KeyAlt) {
    focus_head_by_digit(ui);
    turn_sentence(ui);
  }
  // The buttons at the side of a mouse, as in a browser.
  if (ImGui::IsMouseClicked(kMouseBack)) go_back(ui);
  if (ImGui::IsMouseClicked(kMouseForward)) go_forward(ui);
}

}  // namespace lab::view
