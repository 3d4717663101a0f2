#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/error.h"

namespace lab::view {

/// A file type that a file dialog offers.
struct FileFilter {
  std::string name;                   ///< "PNG pictures"
  std::vector<std::string> patterns;  ///< "*.png"
};

/// What to ask for in the desktop's file dialog.
struct FileQuestion {
  enum class Type {
    kOpen,    ///< a file to open
    kSave,    ///< a name to save under
    kFolder,  ///< a folder
  };
  Type type = Type::kOpen;
  std::string title;
  std::vector<FileFilter> filters;  ///< the first one is preselected
  std::string folder;               ///< absolute, where it starts; empty: chosen by the desktop
  std::string name;                 ///< the proposed name of a file to save
};

/// How such a dialog ended.
struct FileAnswer {
  enum class Type {
    kChosen,     ///< a file; the dialog has already asked about replacing one that exists
    kCancelled,  ///< nothing was chosen
    kNoDialog,   ///< there was no dialog, or it failed
  };
  Type type = Type::kCancelled;
  std::string path;     ///< the chosen path, byte for byte
  std::string problem;  ///< for kNoDialog: the reason, if the user should know it
  bool operator==(const FileAnswer&) const = default;
};

/// The answer when there is no dialog.
inline FileAnswer no_dialog(std::string problem = {}) {
  return {FileAnswer::Type::kNoDialog, {}, std::move(problem)};
}

/// What the view needs from the desktop besides drawing and text: file dialogs, and pictures on the
/// clipboard. The second narrow interface between view and platform. This base class is a desktop
/// that has neither.
class DesktopServices {
 public:
  virtual ~DesktopServices() = default;

  /// True when a file dialog is available, as far as is known without waiting for it.
  virtual bool has_file_dialog() const { return false; }
  /// Opens the desktop's file dialog and returns immediately. False when there is none or one is
  /// open already.
  virtual bool ask_file(const FileQuestion&) { return false; }
  /// The result of the dialog, returned once; nothing while it is open.
  virtual std::optional<FileAnswer> take_file_answer() { return std::nullopt; }
  /// Closes the dialog, if one is open, without an answer.
  virtual void withdraw_file_question() {}

  /// Puts a PNG picture on the clipboard, replacing its content. Fails with kFailed and the reason.
  virtual Expected<void> copy_picture(const std::string& /*png*/) {
    return fail(ErrorType::kFailed, "pictures cannot be copied here; export them to a file");
  }
};

}  // namespace lab::view
