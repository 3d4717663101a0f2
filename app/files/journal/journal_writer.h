#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/document/document.h"
#include "app/document/history/history.h"
#include "app/files/io/descriptor.h"
#include "app/files/journal/journal.h"
#include "app/files/journal/journal_folder.h"

namespace lab::files {

/// Writes the journal of a window on a background thread, each edit as soon as the previous write
/// is complete. All members are called from one thread, and only the destructor, finish() and
/// wait() wait for the disk.
class JournalWriter {
 public:
  /// Keeps the journal at `location`. Calls `on_done` on the background thread when a new problem
  /// occurs.
  JournalWriter(JournalLocation location, std::function<void()> on_done);
  /// Waits until all pending writes are done. The journal stays.
  ~JournalWriter();
  /// Can be neither copied nor moved: its thread refers to it.
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Starts a new journal: `edits` continue from `base`. The old journal stays until the new one is
  /// on disk; then `then`, which may be empty, is called on the background thread.
  void begin(JournalHead head, Document base, std::vector<RecordLine> edits,
             std::function<void()> then = {});
  /// Adds edits to the journal.
  void append(std::vector<RecordLine> edits);
  /// Keeps the command that is previewed, by a drag that is not released yet, at the end of the
  /// journal, in place of the one before; nothing removes it. Edits that follow replace it. Of many
  /// in a row, one is written every kBetweenHeld.
  void hold(std::optional<std::string> previewed);
  static constexpr std::chrono::milliseconds kBetweenHeld{200};
  /// Keeps how the document is viewed, in place of the view before; a journal that begins has none.
  void keep_view(SessionView view);
  /// Removes the journal, because there is nothing to lose.
  void clear();
  /// Keeps what `text` returns, on the background thread, as the answers to a lesson, in place of
  /// those before; removes them when it is null. Then `then`, which may be empty, is called there.
  void keep_answers(std::function<std::string()> text, std::function<void()> then = {});

  /// True after a failed write of edits: nothing is written until begin() succeeds.
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
  struct Held {
    std::optional<std::string> command;
  };
  struct Answers {
    std::function<std::string()> text;
    std::function<void()> then;
  };
  // Pending requests. A later request replaces the earlier ones that it makes superfluous.
  struct Requested {
    bool clear = false;
    std::optional<Base> base;
    std::vector<RecordLine> edits;
    std::optional<SessionView> view;  // after the edits
    std::optional<Held> held;         // after the view
    std::optional<Answers> answers;
    bool adds() const { return !edits.empty() || view; }
    bool urgent() const { return clear || base || adds() || answers; }
    bool about_journal() const { return clear || base || adds() || held; }
    bool any() const { return about_journal() || answers; }
  };

  void end_thread();
  void ask(const std::function<void(Requested&)>& change);
  void run();
  void wait_for_work(std::unique_lock<std::mutex>& lock);
  void execute(Requested requested);
  Expected<void> write_journal(Requested& requested);
  Expected<void> write_answers(const Answers& answers);
  Expected<void> remove();
  Expected<void> write(Base base, const Requested& requested);
  Expected<void> add(const Requested& requested);
  std::string text_of(const Requested& requested);  // edits and view
  Expected<void> replace_held(const std::optional<std::string>& held);
  Expected<void> remove_held();
  Expected<void> write_end(const std::string& text);
  void note(const Expected<void>& done, bool& failed);

  JournalLocation location_;  // from here on the thread's own
  Descriptor file_;
  JournalLines lines_;
  // The end of the journal without the command that is held, if there is one.
  struct End {
    std::int64_t size = 0;
    JournalLines lines;
  };
  std::optional<End> before_held_;
  std::function<void()> on_done_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Requested requested_;
  std::chrono::steady_clock::time_point next_held_;  // not written before
  bool busy_ = false, over_ = false, failed_ = false, answers_failed_ = false;
  std::string problem_;

  std::thread thread_;  // last, because it uses all of the above
};

}  // namespace lab::files
