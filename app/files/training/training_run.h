#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "core/training/history.h"

namespace lab::files {

/// Something that was changed while the network learned.
struct RunEdit {
  std::uint64_t step = 0;  ///< steps that had been taken
  std::string what;        ///< for a person

  bool operator==(const RunEdit&) const = default;
};

/// A run of training, as it is saved: it goes on from the last kept state.
struct TrainingRun {
  attention::training::TrainingOptions options;
  attention::training::History history;
  std::vector<RunEdit> edits;
};

/// Saves a run into one folder again and again: only states that are new are written.
class RunWriter {
 public:
  /// Into `folder`, which is created by the first save().
  explicit RunWriter(std::string folder) : folder_(std::move(folder)) {}

  /// Writes a safetensors file for each new state, then run.json, and then removes the files of
  /// states that it no longer names: whenever the program is killed, the folder holds the run
  /// before or after. Fails with kIo; the run before is then untouched.
  Expected<void> save(const TrainingRun& run);

  /// Where it saves.
  const std::string& folder() const { return folder_; }

 private:
  Expected<std::vector<std::string>> write_states(const TrainingRun& run);
  void remove_others(const std::vector<std::string>& kept) const;

  std::string folder_;
  std::map<attention::training::SharedState, std::string> written_;
};

/// A run that was opened.
struct OpenedRun {
  TrainingRun run;
  std::vector<std::string> notes;  ///< what is missing, such as damaged states, a sentence each
};

/// True when `path` is a folder with a run.json.
bool is_training_run(const std::string& path);

/// Opens the run in `folder`. States that cannot be read are left out, with a note. Fails with kIo
/// when there is no run.json, and with kBadInput, naming file and place, when it is damaged or no
/// state can be read.
Expected<OpenedRun> open_training_run(const std::string& folder);

}  // namespace lab::files
