#pragma once

#include <string>

#include "app/view/state/ui.h"

// Worksheets for pencil and paper: of the lesson that is open, else of the focused head.

namespace lab::view {

/// Asks where to save a worksheet, and what it is to be.
void ask_worksheet_path(Ui& ui);

/// What it will be of, in words.
std::string worksheet_subject(const Ui& ui);

/// True when it may have other numbers: not of a lesson whose words are about its own.
bool takes_seed(const Ui& ui);

/// Writes it as PDF, as the dialog says: with other numbers where there is a seed, and the answers.
/// False, with the dialog's problem set, when the seed is no whole number.
bool save_worksheet(Ui& ui, const std::string& path);

}  // namespace lab::view
