#pragma once

#include <string>

#include "app/view/state/ui.h"

// Worksheets for pencil and paper: for the open lesson, otherwise for the focused head.

namespace lab::view {

/// The name of its file that is proposed for the dialog's options: with the seed, if there is one,
/// and "-answers" for the key, so that no sheet replaces another.
std::string proposed_worksheet(const Ui& ui);

/// Asks where to save a worksheet, and for its options.
void ask_worksheet_path(Ui& ui);

/// The subject of the worksheet, as text.
std::string worksheet_subject(const Ui& ui);

/// True when it can have other numbers: not for a lesson whose text refers to its own.
bool takes_seed(const Ui& ui);

/// Writes it as PDF with the dialog's options: new numbers if there is a seed, and the answers.
/// False, with the dialog's problem set, when the seed is not a whole number.
bool save_worksheet(Ui& ui, const std::string& path);

}  // namespace lab::view
