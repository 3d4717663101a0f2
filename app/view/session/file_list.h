#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/files/folder_list.h"
#include "app/view/state/ui.h"

// The window's own dialogs for opening and saving a file: the path, and below it the folder that is
// typed.

namespace lab::view {

/// What a list shows of a folder, besides the folders in it.
enum class ListedFiles {
  kReadable,    ///< what can be opened
  kWritable,    ///< what can be written over
  kTokenizers,  ///< what can be a tokenizer.json
  kModels,      ///< what can be a model
  kTexts,       ///< what can be explored
};

/// The list of one dialog.
struct FileList {
  int number = 0;                            ///< DialogState::number
  std::string first;                         ///< the path when it was opened
  std::string base;                          ///< the folder of names without one
  std::string folder;                        ///< the folder that is listed
  std::vector<files::FolderEntry> all;       ///< what it holds
  std::vector<files::FolderEntry> shown;     ///< what matches the name that is typed
  std::map<std::string, std::string> types;  ///< by name, of the files whose row was in sight
  int marked = -1;                           ///< by arrows, of `shown`; -1: none
  ListedFiles lists = ListedFiles::kReadable;
  /// True when it lists from the current folder what can be written.
  bool saves() const { return lists == ListedFiles::kWritable; }
  bool typing = false;                     ///< the field had the keyboard in the last frame
  std::size_t stop = 0;                    ///< where Tab moved: 0 is the field
  bool tabbed = false;                     ///< it moved there in this frame
  std::optional<std::string> replacement;  ///< to be put into the field, with the caret behind it
};

/// Draws the field and the list. Tab completes the name that is typed, and moves on to the buttons
/// where there is nothing to complete; arrows mark an entry.
/// Returns true when a file was double-clicked: it is then in the field.
bool file_list(Ui& ui);

/// True for the button of the Open dialog that Tab moved to, which Enter presses. In the frame in
/// which Tab moves there, takes the keyboard from the field.
bool is_tab_stop(const Ui& ui, const std::string& button);

/// Takes the marked entry into the field. Returns true when the field then names a folder, which is
/// listed instead of opened.
bool enters_folder(Ui& ui);

}  // namespace lab::view
