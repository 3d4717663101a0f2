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

/// Writes a window's journal on a thread of its own, each edit as soon as the disk has taken what
/// came before. All members are called from one thread, and none of them waits for the disk but the
/// destructor and wait().
class JournalWriter {
 public:
  /// Keeps the journal at `place`. `told` hears, on the writer's thread, of a problem that is new.
  JournalWriter(JournalPlace place, std::function<void()> told);
  /// Waits until everything that was asked for is written. The journal stays.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Begins the journal anew: `edits` lead on from `base`. Until the new one is on disk the old
  /// one is. `then`, which may be empty, is called when it is, on the writer's thread.
  void begin(JournalHead head, Document base, std::vector<RecordLine> edits,
             std::function<void()> then = {});
  /// Adds edits to the journal.
  void append(std::vector<RecordLine> edits);
  /// Removes the journal: there is nothing to lose.
  void clear();

  /// True when something could not be written: nothing is, until begin() succeeds.
  bool failed() const;
  /// Why, once for every row of failures; empty otherwise.
  std::string take_problem();
  /// Removes the journal for good and gives its place back: the window ends as the user wants.
  /// Nothing is kept from then on.
  void finish();
  /// Waits until everything that was asked for is done or has failed.
  void wait();

 private:
  struct Base {
    JournalHead head;
    Document document;
    std::function<void()> then;
  };
  // What was asked for since the thread looked last; what comes later makes up for what is left
  // out.
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

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Wanted wanted_;
  bool busy_ = false, over_ = false, failed_ = false;
  std::string problem_;

  std::thread thread_;  // the last: it uses all of the above
};

}  // namespace lab::files
