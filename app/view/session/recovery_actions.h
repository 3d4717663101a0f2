#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "app/files/journal/journal.h"
#include "app/files/journal/journal_folder.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// The work that a crashed window left behind.
struct LostWork {
  std::unique_ptr<files::JournalPlace> place;  ///< the place of its journal, locked by this window
  files::Journal journal;
  std::int64_t last_edit = 0;  ///< the time of the last edit, as in last_change
  bool damaged = false;        ///< the journal must be moved away instead of removed
};

/// A step of the frame (main_view.cpp), before the panels: looks for lost work of other windows,
/// when requested (RecoveryState::folder), and asks about one after the other. One that was not
/// answered is offered at the next start.
void follow_recovery(Ui& ui);

/// What the user should know before answering, one sentence each: what it is, and what happened
/// since. `now` is the current time.
std::vector<std::string> about_lost_work(const LostWork& work, std::time_t now);

/// The title of the open lesson, which restoring leaves; empty when there is none.
std::string open_lesson_title(const ViewState& state);
/// Chooses the offered work for restoring; the others are offered at the next start.
void choose_lost_work(Ui& ui);
/// Deletes the offered work permanently.
void discard_lost_work(Ui& ui);

/// Opens the chosen work, unsaved, with its edits as undo steps. The user must have been asked
/// about unsaved changes before; changes made while it is read are asked about again.
void restore_work(Ui& ui);

/// Removes the journal, or moves it away when it is damaged; ignores failures.
void end_recovery(LostWork& work);

}  // namespace lab::view
