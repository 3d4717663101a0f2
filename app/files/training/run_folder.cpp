#include "app/files/training/run_folder.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/document/training/training_document.h"
#include "app/files/io/paths.h"
#include "app/files/training/trained_tokenizer.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

std::string folder_of_branch(const std::string& folder, std::size_t branch) {
  return branch == 0 ? folder : folder + "/branch-" + std::to_string(branch);
}

}  // namespace

Expected<void> RunFolder::save(const lab::TrainingRun& run, SavedStates states) {
  const auto count = static_cast<std::size_t>(run.branches());
  for (std::size_t branch = branches_.size(); branch < count; ++branch)
    branches_.emplace_back(folder_of_branch(folder_, branch));
  // The newest first: a branch is complete before anything names it.
  for (std::size_t branch = count; branch-- > 0;) {
    SavedRun saved{run.options(), run.history_of(static_cast<int>(branch)), {}};
    if (states == SavedStates::kEssential) saved.history = saved.history.essential();
    if (auto done = branches_[branch].save(saved); !done) return done;
  }
  return {};
}

Expected<std::shared_ptr<lab::TrainingRun>> open_run(const std::string& folder,
                                                     std::vector<std::string>& notes) {
  std::vector<attention::training::History> branches;
  attention::training::TrainingOptions options;
  for (std::size_t branch = 0; branch == 0 || is_saved_run(folder_of_branch(folder, branch));
       ++branch) {
    auto opened = open_saved_run(folder_of_branch(folder, branch));
    if (!opened) return tl::make_unexpected(opened.error());
    notes.insert(notes.end(), opened->notes.begin(), opened->notes.end());
    options = opened->run.options;
    branches.push_back(std::move(opened->run.history));
  }
  return std::make_shared<lab::TrainingRun>(options, std::move(branches));
}

std::string new_run_folder() {
  static std::atomic<int> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const std::string name =
      std::to_string(seconds) + "-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  const std::string folder = user_path("XDG_STATE_HOME", ".local/state", "training");
  return folder.empty() ? (std::filesystem::temp_directory_path() / name).string()
                        : folder + "/" + name;
}

Expected<std::shared_ptr<const ModelSource>> run_source(std::shared_ptr<lab::TrainingRun> run,
                                                        std::string name) {
  auto tokenizer = tokenizer::read_tokenizer(tokenizer_json(run->task(), run->options().task.type));
  if (!tokenizer) return tl::make_unexpected(tokenizer.error());
  return training_source(std::move(run), std::move(*tokenizer), std::move(name), new_run_folder());
}

std::string run_folder_of_session(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".run").string();
}

}  // namespace lab::files
