#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

// Exporting in every mode of the dialog: a figure, numbers, a folder of either, or an animation.

/// A file format, as offered in menus.
struct ExportFormat {
  std::string ending;  ///< with the dot
  std::string name;    ///< "PNG"
};

/// The file formats for the dialog's mode and choices.
std::vector<ExportFormat> export_formats(const Ui& ui);

/// The ending of the current format: that of the typed name if it is one of the mode's, otherwise
/// the one chosen last, since a name may be half typed.
std::string chosen_ending(const Ui& ui);

/// Opens the export dialog in its last mode, for a figure of `stage`: of two heads or two states if
/// their difference is shown.
void open_export_dialog(Ui& ui, attention::Stage stage);

/// The same in the mode for figures.
void save_as_figure(Ui& ui, attention::Stage stage);

/// The same for the attention of all layers and heads of the trained model that is shown.
void save_model_figure(Ui& ui);

/// A file name for the export: "what-does-it-refer-to-weights-head-1.png", in the folder of the
/// session, or else in the current one.
std::string export_path(const Ui& ui);

/// True when the export may be written to `path`. False, with the dialog's problem set, when its
/// ending does not belong to the mode, or the user must be asked about replacing a file.
bool may_export(Ui& ui, const std::string& path);

/// Writes the export to `path`, in the format given by its ending; a folder's files have the chosen
/// format.
void start_export(Ui& ui, const std::string& path);

/// True when the export can be put on the clipboard: a picture, or a text.
bool can_copy_export(const Ui& ui);

/// Puts it there.
void copy_export(Ui& ui);

/// The content of the export dialog: what, how, a preview, and where to.
void export_dialog(Ui& ui);
/// Exports to the path in its field.
void accept_export(Ui& ui);

}  // namespace lab::view
