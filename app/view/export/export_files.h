#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

// Writing the files of an export: one for every chosen format.

namespace lab::view {

/// The bytes of a file, and what has to be said about it.
struct ExportedFile {
  std::string bytes;
  std::string note{};  ///< what it lacks; empty: nothing
};

/// Makes the file of a format, in the background. It shares nothing that is modified.
using ExportMaker =
    std::function<Expected<ExportedFile>(const std::string& ending, attention::WorkWatch& watch)>;

/// The paths of the files: `path`, and the same name with the other chosen endings; of each
/// sentence where all are exported, those of the first sentence first.
std::vector<std::string> export_paths(const Ui& ui, const std::string& path);

/// Identifies the files that would be written, for DialogState::replace; `path` when it is one.
std::string export_key(const Ui& ui, const std::string& path);

/// True when all files may be written; see may_write.
bool may_write_all(Ui& ui, const std::string& path);

/// Writes all files and then says what was written. `makers` has one for each sentence where all
/// are exported, else a single one.
void write_exports(Ui& ui, const std::string& path, const std::vector<ExportMaker>& makers);

/// A step of a job: says in the dialog and in the status bar what was done.
void report_export(Ui& ui, const std::string& what);

/// The number of files in a folder of every stage of every head.
std::size_t folder_file_count(const Ui& ui);

/// True when files may be written into `folder`: it has no file of the same name, or the user has
/// already been asked. False the first time, with the question as the dialog's problem.
bool may_fill(Ui& ui, const std::string& folder);

/// Writes a file for every stage of every head into `folder`, in the format and style of the export
/// dialog.
void export_folder(Ui& ui, const std::string& folder);

}  // namespace lab::view
