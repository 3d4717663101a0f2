#include "app/files/model/model_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/base/strings.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/families.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/model/model_folder.h"
#include "app/files/model/weights/adapter.h"
#include "app/files/open.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCachePrefix = "models--";
constexpr const char* kHuggingFace = "Hugging Face";

fs::path models_of_assets() { return fs::path(assets_folder()) / "models"; }

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_directory(error)) folders.push_back(at->path());
  std::ranges::sort(folders);
  return folders;
}

// The files in `folder` and its folders, by path; links to folders are not followed.
std::vector<fs::path> files_under(const fs::path& folder) {
  constexpr int kDeepest = 6;
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    if (at->is_regular_file(error)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

bool has_weights(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "config.json", error) &&
         (fs::exists(folder / "model.safetensors", error) ||
          fs::exists(folder / "model.safetensors.index.json", error) ||
          fs::exists(folder / "pytorch_model.bin", error) ||
          fs::exists(folder / "pytorch_model.bin.index.json", error));
}

// A folder that a variable names, or else lies in the home of the user.
std::string folder_in(const char* variable, const std::string& otherwise) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : full_path(otherwise);
}

// Adds what config.json says in the model's folder, or the beginning of its GGUF file, as far as it
// can be read.
void describe(ModelInfo& model) {
  if (is_gguf_file(model.folder)) {
    const GgufBeginning beginning = gguf_beginning(model.folder);
    model.family = beginning.family;
    model.layers = beginning.layers;
    model.heads = beginning.heads;
    return;
  }
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  const auto config =
      read_bytes(model.folder + "/config.json", kLargest).and_then([](const auto& text) {
        return guarded([&] { return parse_json(text); });
      });
  if (!config) return;
  const auto type = guarded([&] { return ConfigReader(*config).text_or("model_type", ""); });
  const auto known = std::ranges::find_if(
      families(), [&](const Family& family) { return type && *type == family.type; });
  if (known != families().end()) model.family = known->name;
  const auto description = guarded([&] { return read_description(*config); });
  if (!description) return;
  model.reads = description->n_encoder_layers > 0 ? ModelReads::kAnother
                : description->causal             ? ModelReads::kForwards
                                                  : ModelReads::kBothWays;
  model.layers = description->n_layers;
  model.heads = description->n_heads;
}

ModelInfo found_model(std::string name, const fs::path& path, const char* store) {
  ModelInfo model{.name = std::move(name),
                  .folder = path.string(),
                  .store = store,
                  .size = size_of_weights(path.string())};
  describe(model);
  return model;
}

// Why `file` cannot be read in a snapshot, whose files are links into the cache's blobs.
std::string lacking(const fs::path& snapshot, const std::string& file) {
  std::error_code error;
  if (fs::is_symlink(snapshot / file, error))
    return "its " + file + " is a link to a file that is not there: its download did not end";
  return "its snapshot has no " + file;
}

// The folder of a model in the cache as one that can be opened, or with the reason why not; GGUF
// files in one without a config.json stand for themselves.
std::vector<ModelInfo> cached_models(const std::string& name, const fs::path& folder) {
  const auto broken = [&](const std::string& problem) {
    return ModelInfo{.name = name,
                     .folder = folder.string(),
                     .problem = problem + "; download it again",
                     .store = kHuggingFace};
  };
  std::error_code error;
  std::string commit;
  if (!fs::exists(folder / "refs" / "main", error))
    return {broken("its refs/main, which says what snapshot the name means, is missing")};
  std::ifstream(folder / "refs" / "main") >> commit;
  const bool plain = !commit.empty() && commit.find_first_of("./") == commit.npos;
  const fs::path snapshot = folder / "snapshots" / commit;
  if (!plain || !fs::is_directory(snapshot, error))
    return {
        broken("its refs/main names the snapshot " + in_quotes(commit) + ", which is not there")};
  if (is_adapter_folder(snapshot.string())) return {found_model(name, snapshot, kHuggingFace)};
  if (!fs::exists(snapshot / "config.json", error)) {
    std::vector<ModelInfo> files;
    for (const std::string& file : gguf_models_in(snapshot.string()))
      files.push_back(found_model(name + ":" + file_name_of(file), file, kHuggingFace));
    if (files.empty()) files.push_back(broken(lacking(snapshot, "config.json")));
    return files;
  }
  if (!has_weights(snapshot)) {
    const bool sharded = fs::is_symlink(snapshot / "model.safetensors.index.json", error);
    return {
        broken(lacking(snapshot, sharded ? "model.safetensors.index.json" : "model.safetensors"))};
  }
  return {found_model(name, snapshot, kHuggingFace)};
}

// "org/name" of the cache's folder "models--org--name"; empty for other folders.
std::string repository_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kCachePrefix)) return {};
  std::string readable = name.substr(kCachePrefix.size());
  replace_all(readable, "--", "/");
  return readable;
}

void add_cached(std::vector<ModelInfo>& models) {
  for (const fs::path& folder : folders_in(hugging_face_cache())) {
    const std::string name = repository_of(folder);
    if (name.empty()) continue;
    for (ModelInfo& model : cached_models(name, folder)) models.push_back(std::move(model));
  }
}

// The blob of weights that a manifest of Ollama names; empty when there is none.
std::string blob_of(const fs::path& manifest, const fs::path& blobs) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  constexpr const char* kWeights = "application/vnd.ollama.image.model";
  const auto digest = read_bytes(manifest.string(), kLargest).and_then([&](const auto& text) {
    return guarded([&]() -> std::string {
      try {
        const nlohmann::json written = parse_json(text);
        for (const nlohmann::json& layer : written.at("layers"))
          if (layer.at("mediaType") == kWeights) return layer.at("digest");
      } catch (const nlohmann::json::exception&) {
        throw BadInput("no manifest");
      }
      return {};
    });
  });
  if (!digest || !digest->starts_with("sha256:")) return {};
  std::string name = *digest;
  replace_all(name, ":", "-");
  const fs::path blob = blobs / name;
  return name.find('/') == name.npos && is_gguf_file(blob.string()) ? blob.string() : "";
}

// Manifests lie at HOST/NAMESPACE/NAME/TAG; those of the public library have its host and namespace
// left out of their names.
void add_ollama(std::vector<ModelInfo>& models) {
  constexpr std::string_view kLibrary = "registry.ollama.ai/library/",
                             kHost = "registry.ollama.ai/";
  const fs::path folder = folder_in("OLLAMA_MODELS", "~/.ollama/models");
  std::vector<ModelInfo> found;
  for (const fs::path& manifest : files_under(folder / "manifests")) {
    std::string name = manifest.lexically_relative(folder / "manifests").string();
    const std::size_t slash = name.rfind('/');
    if (slash == name.npos) continue;
    name[slash] = ':';
    for (const std::string_view start : {kLibrary, kHost})
      if (name.starts_with(start)) name.erase(0, start.size());
    if (const std::string blob = blob_of(manifest, folder / "blobs"); !blob.empty())
      found.push_back(found_model(name, blob, "Ollama"));
  }
  std::ranges::move(found, std::back_inserter(models));
}

// GGUF files in `folder` and below it, by their paths there.
void add_files_under(const std::string& folder, const char* store, std::vector<ModelInfo>& models) {
  for (const fs::path& file : files_under(folder)) {
    if (file.extension() != ".gguf" || !is_gguf_file(file.string())) continue;
    if (gguf_parts(file.string()).front() != file.string()) continue;
    models.push_back(found_model(file.lexically_relative(folder).string(), file, store));
  }
}

void add_lm_studio(std::vector<ModelInfo>& models) {
  for (const char* folder : {"~/.lmstudio/models", "~/.cache/lm-studio/models"})
    add_files_under(full_path(folder), "LM Studio", models);
}

void add_llama_cpp(std::vector<ModelInfo>& models) {
  add_files_under(folder_in("LLAMA_CACHE", "~/.cache/llama.cpp"), "llama.cpp", models);
}

void add_downloaded(std::vector<ModelInfo>& models) {
  const std::size_t first = models.size();
  add_files_under(own_models_folder(), "Attention Lab", models);
  for (std::size_t i = first; i < models.size(); ++i)
    models[i].name = fs::path(models[i].name).replace_extension().string();
}

void add_own_folders(std::vector<ModelInfo>& models) {
  const char* const value = std::getenv("ATTENTION_LAB_MODELS");
  std::istringstream folders(value == nullptr ? "" : value);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    for (const fs::path& inside : folders_in(folder))
      if (has_weights(inside) || is_adapter_folder(inside.string()))
        models.push_back(found_model(inside.filename().string(), inside, "own"));
    add_files_under(folder, "own", models);
  }
}

}  // namespace

std::string hugging_face_cache() {
  const char* const home = std::getenv("HF_HOME");
  const bool moved = home != nullptr && *home != '\0';
  return folder_in("HF_HUB_CACHE", moved ? std::string(home) + "/hub" : "~/.cache/huggingface/hub");
}

std::string name_of_model(const std::string& path) {
  fs::path whole = fs::path(full_path(path)).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // it ended with a slash
  if (whole.parent_path().filename() == "snapshots")
    if (std::string name = repository_of(whole.parent_path().parent_path()); !name.empty())
      return name;
  std::error_code none;
  const fs::path folder = whole.parent_path();
  if (fs::equivalent(folder.parent_path(), models_of_assets(), none))
    return folder.filename().string();
  if (whole.filename().string().starts_with("sha256-")) {
    std::vector<ModelInfo> models;
    add_ollama(models);
    const auto known = std::ranges::find(models, whole.string(), &ModelInfo::folder);
    if (known != models.end()) return known->name;
  }
  return whole.filename().string();
}

std::string own_models_folder() { return user_path("XDG_DATA_HOME", ".local/share", "models"); }

std::vector<ModelInfo> built_in_models() {
  std::vector<ModelInfo> models;
  const auto add = [&](const fs::path& folder, const fs::path& path) {
    models.push_back(found_model(folder.filename().string(), path, ""));
    models.back().built_in = true;
  };
  for (const fs::path& folder : folders_in(models_of_assets())) {
    if (has_weights(folder)) add(folder, folder);
    for (const std::string& file : gguf_models_in(folder.string())) add(folder, file);
  }
  return models;
}

std::vector<ModelInfo> list_models() {
  std::vector<ModelInfo> models = built_in_models();
  for (const auto add :
       {add_downloaded, add_cached, add_ollama, add_lm_studio, add_llama_cpp, add_own_folders})
    add(models);
  return models;
}

}  // namespace lab::files
