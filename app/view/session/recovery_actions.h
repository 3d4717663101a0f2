#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/journal/journal.h"
#include "app/files/journal/journal_folder.h"
#include "app/lessons/lesson_progress.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// The work that a crashed window left behind.
struct LostWork {
  std::unique_ptr<files::JournalLocation> location;  ///< of its journal, locked by this window
  files::Journal journal;                            ///< without a base: no edits were lost
  std::int64_t last_edit = 0;  ///< the time of the last edit, as in last_change
  bool damaged = false;        ///< the journal must be moved away instead of removed
  std::optional<lessons::LessonProgress> lesson = {};  ///< whose answers were lost
  std::int64_t last_answer = 0;                        ///< like last_edit

  /// True when edits were lost, not only answers.
  bool has_edits() const { return !journal.base.empty(); }
};

/// A step of the frame (main_view.cpp), before the panels: looks for lost work of other windows,
/// when requested (RecoveryState::folder), and asks about one after the other. One that was not
/// answered is offered at the next start.
void follow_recovery(Ui& ui);

/// What the user should know about the lost edits before answering, one sentence each: what it is,
/// and what happened since. `now` is the current time.
std::vector<std::string> about_lost_work(const LostWork& work, std::time_t now);
/// The same about the lost answers.
std::string about_lost_answers(const LostWork& work, std::time_t now);

/// Restores the offered work: opens the session, unsaved, with its edits as undo steps, after a
/// question about unsaved changes, and then the lesson where it was left. The other offers are made
/// at the next start.
void restore_lost_work(Ui& ui);
/// The title of the open lesson, which restoring leaves; empty when there is none.
std::string open_lesson_title(const ViewState& state);
/// Deletes the offered work permanently.
void discard_lost_work(Ui& ui);

/// Removes the journal, or moves it away when it is damaged; ignores failures.
void end_recovery(LostWork& work);
/// Removes the answers; ignores failures.
void end_answers_recovery(LostWork& work);

}  // namespace lab::view
