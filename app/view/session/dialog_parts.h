#pragma once

#include <span>
#include <string>

#include "app/base/error.h"
#include "app/view/state/ui.h"

// The parts of the dialogs that ask for a path.

namespace lab::view {

/// The width of a dialog's fields, in window pixels.
float dialog_field_width(const Ui& ui);

/// A paragraph of a dialog, as wide as its fields; `dim` makes it less prominent.
void dialog_paragraph(Ui& ui, const std::string& text, bool dim = false);

/// A line in bold, as wide as the fields.
void dialog_heading(Ui& ui, const std::string& text);

/// Why the last attempt failed (DialogState::problem), if it did.
void dialog_problem(Ui& ui);

/// Closes the open dialog.
void close_dialog(Ui& ui);

/// A button of a dialog; `primary` highlights it. Returns true when it was clicked, or Enter was
/// pressed on it.
bool dialog_button(Ui& ui, const std::string& label, const std::string& name, bool primary = false);

/// A row of buttons. Returns the index of the one that was clicked, or chosen by Tab or arrows and
/// Enter; -1 if none. `names` are their stable names.
int answer_row(Ui& ui, std::span<const std::string> labels, std::span<const char* const> names);

/// The field of the dialog's path.
void path_field(Ui& ui);

/// A line that says in which folder the file at the dialog's path will be, which a name alone does
/// not tell; a widget called `name`.
void folder_line(Ui& ui, const std::string& name);

/// Puts the proposed file name `now` into the field in place of `before`, unless the user has typed
/// another one.
void follow_options(Ui& ui, const std::string& before, const std::string& now);

/// OK and Cancel, what `more` adds, and a button for the desktop's file dialog; returns true for
/// OK, which Enter also means unless it presses another button. `more` returns true when its button
/// was pressed; `leave` is another name for Cancel.
bool finish_row(Ui& ui, const std::string& label, bool (*more)(Ui&) = nullptr,
                const std::string& leave = {});

/// Moves the error of an attempt from the window to the dialog, or closes the dialog if there is
/// none; an attempt that is still running will report in the window.
void settle_dialog(Ui& ui);

/// The path that was typed, from the root; empty when nothing was.
std::string absolute_path(const Ui& ui);

/// The path that was typed; empty, with the dialog's problem set, when there is none.
std::string chosen_path(Ui& ui);

/// The same for a path to write, once `check` succeeds and the user agrees to it.
std::string writable_path(Ui& ui, Expected<void> (*check)(const std::string&));

/// "Save", or "Replace" once the user was asked about the current file name.
std::string save_label(const Ui& ui);

/// True when a drop-down list is open, or was until this frame: Enter and Escape are for it.
bool list_has_keys(const Ui& ui);

}  // namespace lab::view
