#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/document/recent_steps.h"
#include "app/view/focus/chord.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// A command for the user. Menus, the top bar, shortcuts and the list of shortcuts are all made
/// from these records, so that they cannot drift apart.
struct Action {
  std::string_view id;                   ///< stable: "edit.undo"
  std::string_view menu;                 ///< its menu: "File"
  std::string_view name;                 ///< its text in the menu
  Chord chord;                           ///< Key::kNone: no shortcut
  bool (*enabled)(const Ui&) = nullptr;  ///< null: always
  bool (*checked)(const Ui&) = nullptr;  ///< null: has no check mark
  void (*run)(Ui&) = nullptr;
  bool (*has_key)(const Ui&) = nullptr;  ///< whether its shortcut applies now; null: as for any key
  std::string_view words = {};           ///< synonyms for searching
  bool starts_group = false;             ///< it has a line above it in its menu

  /// Does it, and notes its id for the report of a crash.
  void execute(Ui& ui) const {
    note_step(id);
    run(ui);
  }
  /// The same, also found by the words `others`.
  constexpr Action found_by(std::string_view others) const {
    Action result = *this;
    result.words = others;
    return result;
  }
  /// The same, below a line in its menu.
  constexpr Action below_line() const {
    Action result = *this;
    result.starts_group = true;
    return result;
  }
};

/// Every action, in menu order.
std::span<const Action> all_actions();
/// The action of that id, which must exist.
const Action& action(std::string_view id);
/// True when it can be run now.
bool is_enabled(const Ui& ui, const Action& action);
/// Its name and shortcut, for the tooltip of its button.
std::string hint_of(const Action& action);
/// Its line in an open menu, with the stable name `id`; runs it when chosen.
void action_item(Ui& ui, const std::string& id, const Action& action);
/// True when no text field, open menu or drag uses the keys.
bool keys_are_free(const Ui& ui);
/// Runs every enabled action whose shortcut was pressed in this frame.
void run_shortcuts(Ui& ui);

/// The dialog that finds every action by its name: the command palette.
void command_palette(Ui& ui);

/// Moves the keyboard focus to the next part of the window, or back (`by` −1). Does nothing while
/// the number being typed is invalid.
void go_to_panel(Ui& ui, int by);
/// Moves the keyboard focus to the first menu of the top bar.
void go_to_menus(Ui& ui);

/// A step of the frame (main_view.cpp), before the panels: handles the focus keys.
void handle_focus_keys(Ui& ui);

}  // namespace lab::view
