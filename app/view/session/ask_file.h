#pragma once

#include <string>

#include "app/view/state/ui.h"

// The way from a dialog that asks for a path to the file dialog of the desktop, and back.

namespace lab::view {

/// Opens `dialog`, one that asks for a path, proposing `path`: as the desktop's file dialog where
/// there is one, else as the window's own.
void ask_file(Ui& ui, Dialog dialog, const std::string& path);

/// Opens the desktop's file dialog in place of the field of the dialog that is open, if there is
/// one.
void browse(Ui& ui);

/// True while the desktop's file dialog stands for the one in the window.
bool is_browsing(const Ui& ui);

/// Takes over how the desktop's dialog ended, if it did. True when a file was chosen: its path,
/// with the ending that it lacked, is then in the dialog's field and the desktop's question about
/// replacing it counts as ours.
bool take_chosen_file(Ui& ui);

}  // namespace lab::view
