#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/history/history.h"
#include "app/document/history/record.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

// A journal keeps what a window would lose in a crash. It is text, a line each:
//   the head   {"type":"attention-lab journal","version":1,"title":…,"path":…,"edits":0,…}
//   the base   a session on one line: the document from which on the journal was kept
//   the edits  each command, undo and redo as --record writes it, with a + in front when it became
//              part of the step before it
// Each line begins with its check sum, 8 hexadecimal digits of a CRC-32 that goes on from the line
// before, and a blank: a line that was changed, lost or put elsewhere is found out. Head and base
// are always whole; edits are appended, so that a crash can leave half of the last one.

/// What the base of a journal is.
struct JournalHead {
  std::string title;      ///< of the session
  std::string path;       ///< of its file; empty: not saved anywhere
  std::size_t edits = 0;  ///< steps from what the file holds to the base
  /// When the file was changed last, as last_change tells; nothing when there was none.
  std::optional<std::int64_t> file_time;
  bool saves_there = true;  ///< that file is a session, which saving may write over
};

/// When the file at `path` was changed last, in nanoseconds since 1970; nothing when there is none.
std::optional<std::int64_t> last_change(const std::string& path);

/// Writes the lines of one journal.
class JournalLines {
 public:
  /// The head and the base: the beginning of a journal.
  std::string begin(const JournalHead& head, const Document& base);
  /// The next edit.
  std::string edit(const RecordLine& edit);

 private:
  std::string line(std::string_view content);

  std::uint32_t sum_ = 0;  // of all lines so far
};

/// What a journal holds.
struct Journal {
  JournalHead head;
  std::string base;                  ///< a session
  std::vector<RecordLine> commands;  ///< those that were not taken back
  std::string damage;                ///< why the edits end before the file does; empty: they do not
};

/// Reads a journal as far as it is undamaged. Half a line at its end, as a crash leaves it, is no
/// damage. Fails with kBadInput, saying what is wrong, when not even the base is there.
Expected<Journal> read_journal(std::string_view bytes);

/// The steps of the journal, from what the session's file holds on.
std::size_t edits_in(const Journal& journal);

/// The document that a journal leads to, with its past.
struct Replayed {
  History history;     ///< from the base on
  std::string damage;  ///< why it ends before the journal does; empty: it does not
};

/// Carries out what the journal holds, as far as that can be done. Fails with kBadInput when the
/// base is no session, kFailed when memory runs out. Tells `watch`, which may be null, of the base
/// as it is read; throws as it does.
Expected<Replayed> replay(const Journal& journal, attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
