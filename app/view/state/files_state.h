#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/hub/get_model.h"

namespace lab::view {

/// The files that were opened or saved last, and pending changes of the list.
struct RecentState {
  std::vector<std::string> files;      ///< absolute paths, the latest first
  std::optional<std::string> newest;   ///< to be added in front
  std::optional<std::string> missing;  ///< to be removed, because it no longer exists
  bool clear = false;                  ///< to be cleared
};

class ModelDownload;  // model_download.h

/// A model that is being downloaded.
struct GetModelState {
  std::shared_ptr<ModelDownload> download;  ///< null: none
  hub::GetModel get{};                      ///< in place of hub::get_model, in tests
  int field = 0;                            ///< the number of its text field
  bool brings = false;                      ///< scrolls to the model in that field
};

struct LostWork;  // recovery_actions.h

/// What was opened from a journal, for the owner of this window's journal.
struct RestoredWork {
  std::shared_ptr<LostWork> work;
  int opened_before = 0;  ///< Workspace::opened before
};

/// Work that crashed windows left behind, and the question about it.
struct RecoveryState {
  std::string folder;  ///< of journals, to be searched; empty: there is none, or it is done
  std::vector<std::shared_ptr<LostWork>> offers;  ///< the first is asked about
  std::size_t count = 0;                          ///< the number of offers at the start
  bool asking = false;                            ///< the question is open
  bool discards = false;    ///< Discard was chosen, and is asked about once more
  std::size_t others = 0;   ///< offers not answered when one was restored
  std::string left_lesson;  ///< the title of the lesson that was left then
  std::optional<RestoredWork> restored;
  bool edits_kept = true;  ///< edits in this window would survive a crash
};

}  // namespace lab::view
