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

/// What a window left behind that crashed.
struct LostWork {
  std::unique_ptr<files::JournalPlace> place;  ///< of its journal, held by this window
  files::Journal journal;
  std::int64_t last_edit = 0;  ///< when, as last_change tells
  bool damaged = false;        ///< the journal is not to be removed but put aside
};

/// A step of the frame (main_view.cpp), before the panels: looks for what other windows lost, when
/// that was asked for (RecoveryState::folder), and asks about one after the other. One that was not
/// answered is offered at the next start.
void follow_recovery(Ui& ui);

/// What a person should know before answering: what it is, and what became of it since; a sentence
/// each. `now` is the present time.
std::vector<std::string> about_lost_work(const LostWork& work, std::time_t now);

/// Takes what is asked about as what is to be restored; the others are offered at the next start.
void choose_lost_work(Ui& ui);
/// Removes what is asked about for good.
void discard_lost_work(Ui& ui);

/// Opens what was chosen, unsaved, with its edits as steps that can be undone. The answer to
/// unsaved changes must have been given before; what is changed until it is read is asked about.
void restore_work(Ui& ui);

/// Removes the journal, or puts it aside when it is damaged; fails in silence.
void end_recovery(LostWork& work);

}  // namespace lab::view
