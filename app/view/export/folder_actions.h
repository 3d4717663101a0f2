#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// The number of files in a folder of every stage of every head.
std::size_t folder_file_count(const Ui& ui);

/// True when files may be written into `folder`: it has no file of the same name, or the user has
/// already been asked. False the first time, with the question as the dialog's problem.
bool may_fill(Ui& ui, const std::string& folder);

/// Writes a file for every stage of every head into `folder`, in the format and style of the export
/// dialog.
void export_folder(Ui& ui, const std::string& folder);

}  // namespace lab::view
