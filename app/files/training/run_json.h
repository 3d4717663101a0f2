#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/files/training/training_run.h"

namespace lab::files {

/// What a run.json holds: a run without its states, and the names of their files, by step.
struct RunText {
  TrainingRun run;
  std::vector<std::string> states;
};

/// The run.json of a run whose states are in the files of those names.
std::string write_run_json(const TrainingRun& run, const std::vector<std::string>& states);

/// Reads a run.json. Throws BadInput, naming the member, when it is damaged or from a newer
/// version.
RunText read_run_json(std::string_view text);

}  // namespace lab::files
