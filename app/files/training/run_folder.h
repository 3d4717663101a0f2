#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/model/model_source.h"
#include "app/document/training/training_run.h"
#include "app/files/training/saved_run.h"

// A run with all its branches as a folder: run.json and the states of the first branch, as
// saved_run.h says; each further one in a separate folder, branch-1, branch-2, …

namespace lab::files {

/// The states of a run that are saved.
enum class SavedStates {
  kAll,
  kEssential,  ///< those that documents are at, the first and the last of each branch
};

/// Saves a run into one folder again and again; only states that are new are written.
class RunFolder {
 public:
  /// In `folder`, which is created by the first save().
  explicit RunFolder(std::string folder) : folder_(std::move(folder)) {}

  /// Fails with kIo; what was saved before is then still there.
  Expected<void> save(const lab::TrainingRun& run, SavedStates states);

  /// Where it saves.
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::vector<RunWriter> branches_;
};

/// Opens the run in `folder` with all its branches; what is missing is appended to `notes`. Fails
/// as open_saved_run() does.
Expected<std::shared_ptr<lab::TrainingRun>> open_run(const std::string& folder,
                                                     std::vector<std::string>& notes);

/// A path where a run of this process can be kept until it is saved, in attention-lab/training of
/// $XDG_STATE_HOME or ~/.local/state: another one for each call. Nothing is created.
std::string new_run_folder();

/// The model at the newest step of a run, named after its task and kept at new_run_folder(). Fails
/// with kFailed when its tokenizer cannot be made.
Expected<std::shared_ptr<const ModelSource>> run_source(std::shared_ptr<lab::TrainingRun> run,
                                                        std::string name);

/// The folder of the run that belongs to the session at `path`: "heads.run" beside "heads.json".
std::string run_folder_of_session(const std::string& path);

}  // namespace lab::files
