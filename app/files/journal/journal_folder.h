#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/io/descriptor.h"

namespace lab::files {

// Every window has a name in the folder of journals, and up to three files of that name: a .lock,
// which stays locked for as long as the window lives, however it ends, a .journal, which exists
// while a crash would lose edits, and .answers, while it would lose what was done in a lesson.

/// Where journals are kept: attention-lab/journal in $XDG_STATE_HOME or ~/.local/state; empty when
/// neither is known.
std::string journal_folder();

/// A name in the folder, held by this process alone.
class JournalLocation {
 public:
  /// Reserves a new name in `folder`, which is created for this user alone if it does not exist.
  /// Fails with kIo.
  static Expected<JournalLocation> take_new(const std::string& folder);
  /// Takes over the name of a window that was closed. Null when another process holds it or it
  /// cannot be locked.
  static std::unique_ptr<JournalLocation> take_left(const std::string& folder,
                                                    const std::string& name);

  /// What was moved from holds no name and can only be destroyed or assigned to.
  JournalLocation(JournalLocation&&) = default;
  JournalLocation& operator=(JournalLocation&&) = default;

  /// The path of the journal, whether or not the file exists.
  std::string journal() const { return stem_ + ".journal"; }
  /// The path of the answers to a lesson, whether or not the file exists.
  std::string answers() const { return stem_ + ".answers"; }
  /// False when the lock file was removed: another process could then hold this name.
  bool holds() const;
  /// Removes one of the two files, and releases the name when the other is not there either. Fails
  /// with kIo when it cannot be removed.
  Expected<void> remove_journal() { return remove(journal()); }
  /// The same for the answers.
  Expected<void> remove_answers() { return remove(answers()); }
  /// Removes both.
  Expected<void> remove();
  /// Renames one of the two files so that it is no longer offered, and releases the name as above.
  /// Returns its new path, or the old one when it cannot be renamed.
  std::string move_journal_away() { return move_away(journal()); }
  /// The same for the answers.
  std::string move_answers_away() { return move_away(answers()); }

 private:
  JournalLocation(std::string stem, Descriptor lock)
      : stem_(std::move(stem)), lock_(std::move(lock)) {}
  static Descriptor lock(const std::string& path);  // none, and errno, when it cannot be had
  std::string lock_path() const { return stem_ + ".lock"; }
  Expected<void> remove(const std::string& path);
  std::string move_away(const std::string& path);
  void give_back_if_empty();

  std::string stem_;  // the path of the files but for their endings
  Descriptor lock_;
};

/// What crashed windows left behind, newest first; their names are held. Files of windows that lost
/// nothing are removed.
std::vector<std::unique_ptr<JournalLocation>> left_journals(const std::string& folder);

}  // namespace lab::files
