#pragma once

#include <string>
#include <vector>

#include "app/files/number_formats.h"
#include "app/view/export/export_files.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Exporting numbers, as configured in the export dialog.

/// Which numbers a file holds.
struct NumberChoice {
  bool all_stages = false, all_heads = false;  ///< as in ExportState
  std::string name;                            ///< "Weights of all heads"
  WholeModel whole = WholeModel::kNone;        ///< not of a layer, but of that figure
  bool operator==(const NumberChoice&) const = default;
};

/// The choices in the export dialog.
std::vector<NumberChoice> number_choices(const Ui& ui);

/// The chosen one if it is offered, otherwise its substitute: for a stage without heads there is
/// only one choice.
NumberChoice chosen_numbers(const Ui& ui);

/// The name of those numbers in file names: "weights-head-1", "all-stages".
std::string numbers_stem(const Ui& ui);

/// The arrays in the file with their shapes, one per line; and its beginning if it is a text. At
/// most `lines` lines.
std::string numbers_preview(Ui& ui, std::size_t lines);

/// Makes files of the dialog's numbers.
ExportMaker numbers_maker(const Ui& ui);

/// The stages and heads that are chosen.
files::NumberRequest number_request(const Ui& ui);

/// Puts the same on the clipboard, as the text of a file of the chosen format. Only for text
/// formats.
void copy_export_numbers(Ui& ui);

/// True when files of that ending are text.
bool is_text_format(const std::string& ending);

}  // namespace lab::view
