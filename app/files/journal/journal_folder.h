#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/io/descriptor.h"

namespace lab::files {

// Every window has a name in the folder of journals, and two files of that name: a .lock, which is
// locked for as long as the window lives, however it ends, and a .journal, which is there while
// there is something that a crash would lose.

/// Where journals are kept: attention-lab/journal in $XDG_STATE_HOME or ~/.local/state; empty when
/// neither is known.
std::string journal_folder();

/// A name in the folder, held by this process alone.
class JournalPlace {
 public:
  /// Takes a new name in `folder`, which is made, for this user alone, when it is not there. Fails
  /// with kIo.
  static Expected<JournalPlace> take_new(const std::string& folder);
  /// Takes the name of a window that is gone. Nothing when it is another's, or cannot be had.
  static std::unique_ptr<JournalPlace> take_left(const std::string& folder,
                                                 const std::string& name);

  JournalPlace(JournalPlace&&) = default;
  JournalPlace& operator=(JournalPlace&&) = default;

  /// The path of the journal, whether or not there is one.
  std::string journal() const { return stem_ + ".journal"; }
  /// False when somebody has removed the lock: another process could then hold this name.
  bool holds() const;
  /// Removes the journal and gives the name back. Fails with kIo when it cannot be removed.
  Expected<void> remove();
  /// Moves the journal to where it is not offered any more, and gives the name back. Returns its
  /// new path, or the old one when it cannot be moved.
  std::string put_aside();

 private:
  JournalPlace(std::string stem, Descriptor lock)
      : stem_(std::move(stem)), lock_(std::move(lock)) {}
  static Descriptor lock(const std::string& path);  // none, and errno, when it cannot be had
  std::string lock_path() const { return stem_ + ".lock"; }
  void give_back();

  std::string stem_;  // the path of both files but for their endings
  Descriptor lock_;
};

/// The journals that windows left behind when they crashed, the newest first; their names are held.
/// What is left of windows that lost nothing is removed.
std::vector<std::unique_ptr<JournalPlace>> left_journals(const std::string& folder);

}  // namespace lab::files
