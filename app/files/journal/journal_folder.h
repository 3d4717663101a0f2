#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/io/descriptor.h"

namespace lab::files {

// Every window has a name in the folder of journals, and two files of that name: a .lock, which
// stays locked for as long as the window lives, however it ends, and a .journal, which exists while
// a crash would lose something.

/// Where journals are kept: attention-lab/journal in $XDG_STATE_HOME or ~/.local/state; empty when
/// neither is known.
std::string journal_folder();

/// A name in the folder, held by this process alone.
class JournalPlace {
 public:
  /// Reserves a new name in `folder`, which is created for this user alone if it does not exist.
  /// Fails with kIo.
  static Expected<JournalPlace> take_new(const std::string& folder);
  /// Takes over the name of a window that is gone. Null when another process holds it or it cannot
  /// be locked.
  static std::unique_ptr<JournalPlace> take_left(const std::string& folder,
                                                 const std::string& name);

  JournalPlace(JournalPlace&&) = default;
  JournalPlace& operator=(JournalPlace&&) = default;

  /// The path of the journal, whether or not the file exists.
  std::string journal() const { return stem_ + ".journal"; }
  /// False when the lock file was removed: another process could then hold this name.
  bool holds() const;
  /// Removes the journal and releases the name. Fails with kIo when it cannot be removed.
  Expected<void> remove();
  /// Renames the journal so that it is no longer offered, and releases the name. Returns its new
  /// path, or the old one when it cannot be renamed.
  std::string move_away();

 private:
  JournalPlace(std::string stem, Descriptor lock)
      : stem_(std::move(stem)), lock_(std::move(lock)) {}
  static Descriptor lock(const std::string& path);  // none, and errno, when it cannot be had
  std::string lock_path() const { return stem_ + ".lock"; }
  void give_back();

  std::string stem_;  // the path of both files but for their endings
  Descriptor lock_;
};

/// The journals that crashed windows left behind, newest first; their names are held. Files of
/// windows that lost nothing are removed.
std::vector<std::unique_ptr<JournalPlace>> left_journals(const std::string& folder);

}  // namespace lab::files
