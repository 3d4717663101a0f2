#pragma once

#include <string>

#include "app/view/state/ui.h"

namespace lab::view {

/// How many files a folder of every stage of every head has.
std::size_t folder_file_count(const Ui& ui);

/// True when files may be written into `folder`: it has none of their names, or the user was asked
/// about them. False the first time, with the question as the dialog's problem.
bool may_fill(Ui& ui, const std::string& folder);

/// Writes a file for every stage of every head into `folder`, of the kind and look that the export
/// dialog describes.
void export_folder(Ui& ui, const std::string& folder);

}  // namespace lab::view
