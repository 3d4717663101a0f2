#include "app/files/model/model_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/base/replace_all.h"
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

// The snapshot that refs/main names, else the last one that has weights; empty when none has.
fs::path snapshot_of(const fs::path& model) {
  std::string commit;
  std::ifstream(model / "refs" / "main") >> commit;
  const bool plain = !commit.empty() && commit.find_first_of("./") == commit.npos;
  if (plain && has_weights(model / "snapshots" / commit)) return model / "snapshots" / commit;
  fs::path last;
  for (const fs::path& snapshot : folders_in(model / "snapshots"))
    if (has_weights(snapshot)) last = snapshot;
  return last;
}

void add_cached(std::vector<ModelInfo>& models) {
  for (const fs::path& folder : folders_in(cache_folder())) {
    const std::string name = folder.filename().string();
    if (!name.starts_with(kCachePrefix)) continue;
    const fs::path snapshot = snapshot_of(folder);
    if (snapshot.empty()) continue;
    std::string readable = name.substr(kCachePrefix.size());
    replace_all(readable, "--", "/");
    models.push_back({readable, snapshot.string(), false});
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
