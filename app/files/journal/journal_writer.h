#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/document/document.h"
#include "app/document/history/record.h"
#include "app/files/io/descriptor.h"
#include "app/files/journal/journal.h"
#include "app/files/journal/journal_folder.h"

namespace lab::files {

/// Writes the journal of a window on a background thread, each edit as soon as the previous write
/// is complete. All members are called from one thread, and only the destructor, finish() and
/// wait() wait for the disk.
class JournalWriter {
 public:
  /// Keeps the journal at `place`. Calls `told` on the background thread when a new problem occurs.
  JournalWriter(JournalPlace place, std::function<void()> told);
  /// Waits until all pending writes are done. The journal stays.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Starts a new journal: `edits` continue from `base`. The old journal stays until the new one is
  /// on disk; then `then`, which may be empty, is called on the background thread.
  void begin(JournalHead head, Document base, std::vector<RecordLine> edits,
             std::function<void()> then = {});
  /// Adds edits to the journal.
  void append(std::vector<RecordLine> edits);
  /// Removes the journal, because there is nothing to lose.
  void clear();

  /// True after a failed write: nothing is written until begin() succeeds.
  bool failed() const;
  /// The reason, once for each series of failures; empty otherwise.
  std::string take_problem();
  /// Removes the journal and releases its place, because the window is closed normally. Nothing is
  /// kept from then on.
  void finish();
  /// Waits until all pending work is done or has failed.
  void wait();

 private:
  struct Base {
    JournalHead head;
    Document document;
    std::function<void()> then;
  };
  // Pending requests. A later request replaces the earlier ones that it makes superfluous.
  struct Wanted {
    bool clear = false;
    std::optional<Base> base;
    std::vector<RecordLine> edits;
    bool any() const { return clear || base || !edits.empty(); }
  };

  void end_thread();
  void ask(const std::function<void(Wanted&)>& change);
  void run();
  Expected<void> carry_out(Wanted wanted);
  Expected<void> remove();
  Expected<void> write(Base base, const std::vector<RecordLine>& edits);
  Expected<void> add(const std::vector<RecordLine>& edits);
  void note(const Expected<void>& done);

  JournalPlace place_;  // from here on the thread's own
  Descriptor file_;
  JournalLines lines_;
  std::function<void()> told_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Wanted wanted_;
  bool busy_ = false, over_ = false, failed_ = false;
  std::string problem_;

  std::thread thread_;  // last, because it uses all of the above
};

}  // namespace lab::files
