#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lab::view {

struct LostWork;  // recovery_actions.h

/// What was opened from a journal, for whoever keeps the journal of this window.
struct RestoredWork {
  std::shared_ptr<LostWork> work;
  int opened_before = 0;  ///< Workspace::opened before
};

/// What other windows left behind, and what the user is asked about it.
struct RecoveryState {
  std::string folder;  ///< of journals, to be looked into; empty: there is none, or it is done
  std::vector<std::shared_ptr<LostWork>> offers;  ///< the first is asked about
  std::size_t count = 0;                          ///< of offers at the start
  bool asking = false;                            ///< the question is open
  std::shared_ptr<LostWork> chosen;               ///< to be restored
  std::size_t others = 0;                         ///< that were let go of then
  std::optional<RestoredWork> restored;
  bool edits_kept = true;  ///< what is edited in this window would outlive a crash
};

}  // namespace lab::view
