#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/error.h"

namespace lab::view {

/// A kind of files that a file dialog offers.
struct FileFilter {
  std::string name;                   ///< "PNG pictures"
  std::vector<std::string> patterns;  ///< "*.png"
};

/// What the desktop's file dialog is to ask for.
struct FileQuestion {
  enum class Kind {
    kOpen,    ///< a file to open
    kSave,    ///< a name to save under
    kFolder,  ///< a folder
  };
  Kind kind = Kind::kOpen;
  std::string title;
  std::vector<FileFilter> filters;  ///< the first is chosen at the start
  std::string folder;               ///< absolute, where it starts; empty: where the desktop likes
  std::string name;                 ///< proposed for a file that is saved
};

/// How such a dialog ended.
struct FileAnswer {
  enum class Kind {
    kChosen,     ///< a file; the dialog asked before it named one that exists
    kCancelled,  ///< none
    kNoDialog,   ///< there was no dialog, or it broke down
  };
  Kind kind = Kind::kCancelled;
  std::string path;     ///< what was chosen, byte for byte
  std::string problem;  ///< of kNoDialog, where a person should know why
  bool operator==(const FileAnswer&) const = default;
};

/// The answer of a dialog that is not there.
inline FileAnswer no_dialog(std::string problem = {}) {
  return {FileAnswer::Kind::kNoDialog, {}, std::move(problem)};
}

/// What the view asks of the desktop besides drawing and text: file dialogs, and pictures on the
/// clipboard. The second narrow bridge between view and platform. This one stands for a desktop
/// that has neither.
class DesktopServices {
 public:
  virtual ~DesktopServices() = default;

  /// True when there is a file dialog to open, as far as is known without waiting for it.
  virtual bool has_file_dialog() const { return false; }
  /// Opens the desktop's file dialog and returns at once; the window goes on. False when there is
  /// none or one is open already.
  virtual bool ask_file(const FileQuestion&) { return false; }
  /// How the dialog ended, once; nothing while it is open.
  virtual std::optional<FileAnswer> take_file_answer() { return std::nullopt; }
  /// Closes the dialog, if one is open, without an answer.
  virtual void withdraw_file_question() {}

  /// Puts a PNG picture on the clipboard in place of whatever is there. Fails with kFailed, saying
  /// why.
  virtual Expected<void> copy_picture(const std::string& /*png*/) {
    return fail(ErrorKind::kFailed, "pictures cannot be copied here; export them to a file");
  }
};

}  // namespace lab::view
