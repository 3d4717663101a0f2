#pragma once

#include <string>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

// What the export dialog makes, whatever its mode: a figure, numbers, a folder of either, or an
// animation.

/// A kind of file, as menus offer it.
struct ExportFormat {
  std::string ending;  ///< with the dot
  std::string name;    ///< "PNG"
};

/// The kinds of files that the dialog's mode makes of what is chosen.
std::vector<ExportFormat> export_formats(const Ui& ui);

/// The ending of the kind that is made now: what the name ends in where that is one of the mode's,
/// else the one that was chosen last; a name may be half typed.
std::string chosen_ending(const Ui& ui);

/// Opens the export dialog in the mode that it had last, for a figure of `stage`: of two heads or
/// two states where their difference is what is looked at.
void open_export_dialog(Ui& ui, attention::Stage stage);

/// The same in the mode for figures.
void save_as_figure(Ui& ui, attention::Stage stage);

/// A name for what the dialog describes: "what-does-it-refer-to-weights-head-1.png", in the folder
/// of the session or else the current one.
std::string export_path(const Ui& ui);

/// True when the dialog's mode may write to `path`. False, with the dialog's problem set, when its
/// ending is none of the mode's, or the user has to be asked about what is there.
bool may_export(Ui& ui, const std::string& path);

/// Writes what the dialog describes to `path`, of the kind that its ending says; a folder's files
/// are of the kind that was chosen.
void start_export(Ui& ui, const std::string& path);

/// True when what the dialog describes can be put on the clipboard: a picture, or a text.
bool can_copy_export(const Ui& ui);

/// Puts it there.
void copy_export(Ui& ui);

}  // namespace lab::view
