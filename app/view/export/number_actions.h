#pragma once

#include <string>
#include <vector>

#include "app/files/number_formats.h"
#include "app/view/state/ui.h"

namespace lab::view {

// Numbers that are written to files, as the export dialog describes them.

/// What numbers a file can hold.
struct NumberChoice {
  bool all_stages = false, all_heads = false;  ///< as in ExportState
  std::string name;                            ///< "Weights of all heads"
};

/// What the export dialog offers.
std::vector<NumberChoice> number_choices(const Ui& ui);

/// The same choice where it is offered, else the one that takes its place: of a stage that is one
/// for all heads there is only one.
NumberChoice chosen_numbers(const Ui& ui);

/// What those numbers are called in file names: "weights-head-1", "all-stages".
std::string numbers_stem(const Ui& ui);

/// The arrays that the file holds, a line each, with their shapes; and what stands in it first
/// where it is a text. At most `lines` lines.
std::string numbers_preview(const Ui& ui, std::size_t lines);

/// Writes the numbers that the export dialog describes, of the kind that the path's ending says.
void export_numbers(Ui& ui, const std::string& path);

/// Puts the same on the clipboard, as the text that a file of the chosen format would hold. Only of
/// formats that are text.
void copy_export_numbers(Ui& ui);

/// True when files of that ending are text.
bool is_text_format(const std::string& ending);

}  // namespace lab::view
