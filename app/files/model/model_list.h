#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::files {

/// What a model does with a text.
enum class ModelReads {
  kUnknown,
  kForwards,  ///< goes on with it
  kBothWays,  ///< fills its gaps, or makes a vector of it
  kAnother,   ///< an encoder reads it, and a decoder writes another
};

/// A model that can be opened by its name.
struct ModelInfo {
  std::string name;    ///< as typed on the command line: "induction", "openai-community/gpt2"
  std::string folder;  ///< its path: a folder, or a GGUF file
  bool built_in = false;
  std::string problem{};  ///< why it cannot be opened, one sentence; empty when it can
  std::string store{};    ///< the program that keeps it: "Ollama"; empty for a built-in one
  std::int64_t size = 0;  ///< of its weights in bytes; 0 where it cannot be opened
  std::string family{};   ///< "Llama"; empty where that is not known
  ModelReads reads = ModelReads::kUnknown;
  std::int64_t layers = 0;  ///< of the only stack, or of the decoder; 0 where that is not known
  std::int64_t heads = 0;   ///< of each of them
};

/// Hugging Face's cache of models: $HF_HUB_CACHE, $HF_HOME/hub or ~/.cache/huggingface/hub.
std::string hugging_face_cache();
/// This program's own folder of models: attention-lab/models in $XDG_DATA_HOME or ~/.local/share.
std::string own_models_folder();

/// What the model at `path`, a folder or a GGUF file, is called: "org/name" for a snapshot in
/// Hugging Face's cache, whose folder is named after a commit; the name in Ollama for a blob of it;
/// the name of its folder for a GGUF file that is built in; for others the last part of the path.
std::string name_of_model(const std::string& path);

/// The built-in models, by name.
std::vector<ModelInfo> built_in_models();

/// The built-in models, and those that other programs keep on this machine, program by program and
/// by name. Nothing is loaded from the network, and nothing is written. Where they are looked for:
/// - Hugging Face: $HF_HUB_CACHE, $HF_HOME/hub, or ~/.cache/huggingface/hub. A name means the
///   snapshot that its refs/main names, and no other: where that cannot be opened, `problem` says
///   why, and `folder` is the model's folder in the cache. "org/name:file.gguf" is a file of one.
/// - Ollama: $OLLAMA_MODELS or ~/.ollama/models, by the names that Ollama lists: "llama3.2:1b".
/// - LM Studio: ~/.lmstudio/models and ~/.cache/lm-studio/models: "publisher/model/file.gguf".
/// - llama.cpp: $LLAMA_CACHE or ~/.cache/llama.cpp: "file.gguf".
/// - own_models_folder(): "smollm2" for smollm2.gguf.
/// - The folders in $ATTENTION_LAB_MODELS, with colons between them: GGUF files, and folders of
///   Hugging Face's transformers.
std::vector<ModelInfo> list_models();

}  // namespace lab::files
