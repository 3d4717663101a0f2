#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/history/history.h"
#include "app/files/session/session_view.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

// A journal keeps the edits that a window would lose in a crash. It is text, line by line:
//   the head   {"type":"attention-lab journal","version":2,"title":…,"path":…,"edits":0,…}
//   the base   a session on one line: the document from which the journal starts
//   the edits  each command, undo and redo in the form of --record, prefixed with + when it was
//              merged into the step before it; last, prefixed with ~, the command of a drag that is
//              not released yet
//   the view   how all this is viewed, pins included, prefixed with @, between the edits; the last
//              one counts. Journals of version 1 have none
// Each line begins with its checksum, 8 hexadecimal digits of a CRC-32 that continues from the line
// before, and a blank, so that a line that was changed, lost or moved is detected. Head and base
// are always complete; edits are appended, so that a crash can leave half of the last one.

/// Describes the base of a journal.
struct JournalHead {
  std::string title;      ///< of the session
  std::string path;       ///< of its file; empty: not saved anywhere
  std::size_t edits = 0;  ///< steps from the content of the file to the base
  /// When the file was last changed (see last_change); nothing when there was none.
  std::optional<std::int64_t> file_time;
  bool saves_there = true;  ///< that file is a session that saving may overwrite
};

/// When the file at `path` was last changed, in nanoseconds since 1970; nothing when it does not
/// exist.
std::optional<std::int64_t> last_change(const std::string& path);

/// Writes the lines of one journal.
class JournalLines {
 public:
  /// The first lines of a journal: head and base.
  std::string begin(const JournalHead& head, const Document& base);
  /// The line of the next edit.
  std::string edit(const RecordLine& edit);
  /// The line of a command (as --record writes it) that is only previewed. Only the last line of a
  /// journal counts as one.
  std::string held(const std::string& command);
  /// The line of a view, which replaces those before.
  std::string view(const SessionView& view);

 private:
  std::string line(std::string_view content);

  std::uint32_t sum_ = 0;  // of all lines so far
};

/// The content of a journal.
struct Journal {
  JournalHead head;
  std::string base;                  ///< a session
  std::vector<RecordLine> commands;  ///< those that were not undone, and what was held
  std::optional<SessionView> view;   ///< the last one
  std::string damage;                ///< why the edits end before the file does; empty: intact
};

/// Reads a journal up to the first damage. An incomplete last line, as a crash leaves it, is not
/// damage. Fails with kBadInput, with the reason, when not even the base is intact.
Expected<Journal> read_journal(std::string_view bytes);

/// The number of steps from the content of the session file to the end of the journal.
std::size_t edits_in(const Journal& journal);

/// The document at the end of a journal, with its history.
struct Replayed {
  History history;     ///< starts at the base
  std::string damage;  ///< why it ends before the journal does; empty: complete
};

/// Replays the journal as far as possible. Fails with kBadInput when the base is not a session, kIo
/// when the model that it is about cannot be opened, kFailed when memory runs out. Reports reading
/// the base to `watch`, which may be null; throws as `watch` does.
Expected<Replayed> replay(const Journal& journal, attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
