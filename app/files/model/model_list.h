#pragma once

#include <string>
#include <vector>

namespace lab::files {

/// A model that can be opened by its name.
struct ModelInfo {
  std::string name;    ///< as typed on the command line: "induction", "openai-community/gpt2"
  std::string folder;  ///< its path
  bool built_in = false;
  std::string problem{};  ///< why it cannot be opened, one sentence; empty when it can
};

/// The built-in models, and those in the cache of Hugging Face on this machine
/// ($HF_HUB_CACHE, $HF_HOME/hub, or ~/.cache/huggingface/hub), sorted by name. Nothing is loaded
/// from the network. A name in the cache means the snapshot that its refs/main names, and no other:
/// where that cannot be opened, `problem` says why, and `folder` is the model's folder in the
/// cache.
std::vector<ModelInfo> list_models();

}  // namespace lab::files
