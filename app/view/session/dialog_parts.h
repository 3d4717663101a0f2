#pragma once

#include <span>
#include <string>

#include "app/base/error.h"
#include "app/view/state/ui.h"

// What the dialogs that ask for a path are put together from.

namespace lab::view {

/// How wide the fields of a dialog are, in window pixels.
float dialog_field_width(const Ui& ui);

/// Closes the dialog that is open.
void close_dialog(Ui& ui);

/// A button of a dialog; `primary` is the one that stands out. Returns true when it was clicked, or
/// Enter was pressed on it.
bool dialog_button(Ui& ui, const std::string& label, const std::string& name, bool primary = false);

/// A row of buttons. Returns the number of the one that was clicked, or chosen by Tab or arrows and
/// Enter; -1 while there is none. `names` are their stable names.
int answer_row(Ui& ui, std::span<const std::string> labels, std::span<const char* const> names);

/// The field of the dialog's path.
void path_field(Ui& ui);

/// OK and Cancel, what `more` adds, and the way to the desktop's file dialog; returns true for OK,
/// which is what Enter means unless it presses another button. `more` returns true when its button
/// was pressed.
bool finish_row(Ui& ui, const std::string& label, bool (*more)(Ui&) = nullptr);

/// Moves what an attempt complained about from the window to the dialog, or closes the dialog: one
/// that is still going on will complain in the window.
void settle_dialog(Ui& ui);

/// The path that was typed; empty, with the dialog's problem set, when there is none.
std::string chosen_path(Ui& ui);

/// The same for a path that is to be written, once `check` and the user agree to it.
std::string writable_path(Ui& ui, Expected<void> (*check)(const std::string&));

/// "Save", or "Replace" once the user was asked about the file that is named now.
std::string save_label(const Ui& ui);

/// True when a list hangs open below its row, or did so until now: Enter and Escape are for it.
bool list_has_keys(const Ui& ui);

}  // namespace lab::view
