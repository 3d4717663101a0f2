#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/model/description.h"
#include "app/files/model/gguf/gguf_architecture.h"
#include "app/files/model/weights/checkpoint.h"

namespace lab::files {

/// What a GGUF file says, in the terms of a model's folder.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing.
struct GgufModel {
  const GgufArchitecture* architecture = nullptr;
  nlohmann::json config;                 ///< what config.json would say
  Checkpoint checkpoint;                 ///< tensors by the names that they have in such a folder
  std::vector<float> frequency_factors;  ///< divide the rotary frequencies; empty: none do
  nlohmann::json tokenizer;        ///< what tokenizer.json would say; null when the file has none
  std::vector<std::string> notes;  ///< what a person should know, one sentence each
};

/// True when `path` is a GGUF file.
bool is_gguf_file(const std::string& path);

/// The paths of the parts of a split GGUF file, of which `path` is any; else `path` alone.
std::vector<std::string> gguf_parts(const std::string& path);

/// The GGUF models in `folder`, by name: of a split one its first part.
std::vector<std::string> gguf_models_in(const std::string& folder);

/// What the first 16 KiB of a GGUF file say of its model, for a list.
struct GgufBeginning {
  std::string family;       ///< for people: "Llama"; empty when it is not supported or not named
  std::int64_t layers = 0;  ///< 0 where that is not said there
  std::int64_t heads = 0;   ///< of each layer; 0 where that is not said there, or where they differ
};

/// Reads no more than the beginning of the file at `path`, little-endian.
GgufBeginning gguf_beginning(const std::string& path);

/// Reads the GGUF file at `path`, or all parts of a split one, of which it is any
/// ("…-00001-of-00003.gguf"). Fails with kIo when a part cannot be read, and with kBadInput when it
/// is damaged or its architecture is not supported.
Expected<GgufModel> read_gguf_model(const std::string& path);

/// Changes what GGUF stores in another way than such a folder: rotated pairs that lie side by side,
/// norms with the 1 added, Q, K and V in another order, frequencies that a tensor divides.
void adapt_to_gguf(const GgufModel& model, Description& description);

/// Reads the tokenizer of the GGUF file at `path`, as a tokenizer.json would say it; null when it
/// has none. Adds what a person should know to `notes`. Fails as read_gguf_model() does.
Expected<nlohmann::json> read_gguf_tokenizer(const std::string& path,
                                             std::vector<std::string>& notes);

}  // namespace lab::files
