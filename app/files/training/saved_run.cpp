#include "app/files/training/saved_run.h"

#include <filesystem>
#include <set>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/training/run_json.h"
#include "app/files/training/training_state_file.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;
using attention::training::ParameterLayout;
using attention::training::SharedState;
using attention::training::TrainingState;

constexpr const char* kRunFile = "run.json";
constexpr std::size_t kLargestRunFile = std::size_t{1} << 28;

Expected<TrainingState> read_state(const std::string& path, const ParameterLayout& layout) {
  const auto bytes = read_bytes(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return guarded([&] { return read_training_state(*bytes, layout); });
}

// Reads the states into the run, those that can be read.
void read_states(const std::string& folder, const RunText& text, OpenedRun& opened) {
  const auto task = attention::training::make_task(text.run.options.task);
  const ParameterLayout layout(text.run.options, task->vocabulary());
  for (const std::string& name : text.states) {
    auto state = read_state((fs::path(folder) / name).string(), layout);
    const auto& kept = opened.run.history.states();
    if (state && !kept.empty() && state->step <= kept.back()->step)
      state = fail(ErrorType::kBadInput, "it is out of order");
    if (state)
      opened.run.history.keep(std::make_shared<TrainingState>(*std::move(state)));
    else
      opened.notes.push_back(in_quotes(name) + " is left out: " + state.error().message);
  }
}

}  // namespace

Expected<std::vector<std::string>> RunWriter::write_states(const SavedRun& run) {
  std::map<SharedState, std::string> kept;
  std::vector<std::string> names;
  for (const SharedState& state : run.history.states()) {
    const auto before = written_.find(state);
    const bool is_new = before == written_.end();
    std::string name = is_new ? training_state_name(*state) : before->second;
    if (is_new && is_missing(folder_ + "/" + name))
      if (auto done = write_bytes(folder_ + "/" + name, write_training_state(*state)); !done)
        return tl::make_unexpected(done.error());
    names.push_back(name);
    kept.emplace(state, std::move(name));
  }
  written_ = std::move(kept);
  return names;
}

void RunWriter::remove_others(const std::vector<std::string>& kept) const {
  const std::set<std::string> names(kept.begin(), kept.end());
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    const bool of_state = name.starts_with("state-") && name.ends_with(".safetensors");
    if (of_state && !names.contains(name)) fs::remove(entry.path(), error);
  }
}

Expected<void> RunWriter::save(const SavedRun& run) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_, error))
    return fail(ErrorType::kIo, "cannot create the folder " + folder_);
  const auto names = write_states(run);
  if (!names) return tl::make_unexpected(names.error());
  if (auto done = write_bytes(folder_ + "/" + kRunFile, write_run_json(run, *names)); !done)
    return done;
  remove_others(*names);
  return {};
}

bool is_saved_run(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) && !is_missing(path + "/" + kRunFile);
}

Expected<OpenedRun> open_saved_run(const std::string& folder) {
  const std::string path = full_path(folder) + "/" + kRunFile;
  if (is_missing(path)) return fail(ErrorType::kIo, "there is no run.json in " + in_quotes(folder));
  const auto bytes = read_bytes(path, kLargestRunFile);
  if (!bytes) return tl::make_unexpected(bytes.error());
  auto text = guarded([&] { return read_run_json(*bytes); });
  if (!text) return fail(text.error().type, in_quotes(path) + ": " + text.error().message);
  OpenedRun opened{text->run, {}};
  read_states(full_path(folder), *text, opened);
  if (!opened.run.history.states().empty()) return opened;
  const std::string why = opened.notes.empty() ? "it names none" : opened.notes.front();
  return fail(ErrorType::kBadInput, in_quotes(path) + ": no state can be read: " + why);
}

}  // namespace lab::files
