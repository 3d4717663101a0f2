#include "app/files/model/model_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCachePrefix = "models--";

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_directory(error)) folders.push_back(at->path());
  std::ranges::sort(folders);
  return folders;
}

bool has_weights(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "config.json", error) &&
         (fs::exists(folder / "model.safetensors", error) ||
          fs::exists(folder / "model.safetensors.index.json", error));
}

std::string cache_folder() {
  const auto from = [](const char* variable) -> std::string {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  if (std::string cache = from("HF_HUB_CACHE"); !cache.empty()) return cache;
  if (const std::string home = from("HF_HOME"); !home.empty()) return home + "/hub";
  return full_path("~/.cache/huggingface/hub");
}

// Why `file` cannot be read in a snapshot, whose files are links into the cache's blobs.
std::string lacking(const fs::path& snapshot, const std::string& file) {
  std::error_code error;
  if (fs::is_symlink(snapshot / file, error))
    return "its " + file + " is a link to a file that is not there: its download did not end";
  return "its snapshot has no " + file;
}

// The folder of a model in the cache as one that can be opened, or with the reason why not.
ModelInfo cached_model(const std::string& name, const fs::path& folder) {
  const auto broken = [&](const std::string& problem) {
    return ModelInfo{name, folder.string(), false, problem + "; download it again"};
  };
  std::error_code error;
  std::string commit;
  if (!fs::exists(folder / "refs" / "main", error))
    return broken("its refs/main, which says what snapshot the name means, is missing");
  std::ifstream(folder / "refs" / "main") >> commit;
  const bool plain = !commit.empty() && commit.find_first_of("./") == commit.npos;
  const fs::path snapshot = folder / "snapshots" / commit;
  if (!plain || !fs::is_directory(snapshot, error))
    return broken("its refs/main names the snapshot " + in_quotes(commit) + ", which is not there");
  if (!fs::exists(snapshot / "config.json", error)) return broken(lacking(snapshot, "config.json"));
  if (!has_weights(snapshot)) {
    const bool sharded = fs::is_symlink(snapshot / "model.safetensors.index.json", error);
    return broken(
        lacking(snapshot, sharded ? "model.safetensors.index.json" : "model.safetensors"));
  }
  return {name, snapshot.string(), false};
}

void add_cached(std::vector<ModelInfo>& models) {
  for (const fs::path& folder : folders_in(cache_folder())) {
    const std::string name = folder.filename().string();
    if (!name.starts_with(kCachePrefix)) continue;
    std::string readable = name.substr(kCachePrefix.size());
    replace_all(readable, "--", "/");
    models.push_back(cached_model(readable, folder));
  }
}

}  // namespace

std::vector<ModelInfo> list_models() {
  std::vector<ModelInfo> models;
  for (const fs::path& folder : folders_in(fs::path(assets_folder()) / "models"))
    if (has_weights(folder)) models.push_back({folder.filename().string(), folder.string(), true});
  add_cached(models);
  return models;
}

}  // namespace lab::files
