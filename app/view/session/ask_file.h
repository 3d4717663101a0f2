#pragma once

#include <string>

#include "app/view/state/ui.h"

// Asking for a path in the desktop's file dialog instead of the window's own.

namespace lab::view {

/// Opens `dialog`, one that asks for a path, proposing `path`: as the desktop's file dialog if
/// there is one, otherwise as the window's own.
void ask_file(Ui& ui, Dialog dialog, const std::string& path);

/// Opens the desktop's file dialog in place of the field of the dialog that is open, if there is
/// one.
void browse(Ui& ui);

/// The folder to look in first: that of the open file, otherwise of the last chosen file, otherwise
/// the current one.
std::string default_folder(const Ui& ui);

/// True while the desktop's file dialog replaces the one in the window.
bool is_browsing(const Ui& ui);

/// Handles the result of the desktop's dialog, if it has ended. True when a file was chosen: its
/// path, with a missing ending added, is then in the dialog's field, and the desktop's question
/// about replacing it counts as ours.
bool take_chosen_file(Ui& ui);

}  // namespace lab::view
