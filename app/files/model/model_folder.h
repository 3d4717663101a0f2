#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/error.h"
#include "app/document/model/model_source.h"
#include "app/files/model/description.h"
#include "app/files/model/weights/checkpoint.h"
#include "app/files/model/weights/weights_hash.h"

namespace lab::files {

struct Adapter;

/// A model that was opened from its folder or its GGUF file, and the files that its weights are
/// read from.
struct Model : ModelSource {
  /// A model with these parts; its tokenizer is added afterwards.
  Model(ModelSource source, Description read, std::optional<WeightsHash> hash, Checkpoint opened,
        std::vector<std::string> sentences)
      : ModelSource(std::move(source)),
        description(std::move(read)),
        config(std::move(hash)),
        checkpoint(std::move(opened)),
        notes(std::move(sentences)) {}

  Description description;
  /// Of the config.json, as it was when the model was opened; std::nullopt for a GGUF file.
  std::optional<WeightsHash> config;
  Checkpoint checkpoint;
  std::vector<std::string> notes;  ///< what a person should know about its files, one sentence each
};

/// True when `path` is a folder with a config.json or with GGUF files, or a GGUF file.
bool is_model_path(const std::string& path);

/// The folder that `name` means: a path, a built-in model, or a model in the cache of Hugging Face
/// by its name ("gpt2"); or the GGUF file at that path. Fails with kIo when there is none, and with
/// kBadInput for another file, or "-".
Expected<std::string> model_folder(const std::string& name);

/// The folder of the model that an adapter changes: a path that the adapter names, or a model of
/// that name on this machine. Fails with kIo, saying how to get it, when it is not here, and with
/// kBadInput when the adapter names none.
Expected<std::string> folder_of_base(const Adapter& adapter);

/// Opens the model that `name` means, see model_folder(). Weights are mapped and not read. Fails
/// with kIo when something cannot be read, and with kBadInput, naming the file and what is wrong in
/// it, when the model is damaged or not supported. Reports up to work_of_opening() to `watch`,
/// which may be null, and throws as it does.
Expected<Model> open_model(const std::string& name, attention::WorkWatch* watch = nullptr);

/// The work of opening the model in `folder`, in bytes that are read or parsed.
attention::Index work_of_opening(const std::string& folder);
/// The size of the files of weights in `folder`, or of the GGUF file that it is, in bytes.
attention::Index size_of_weights(const std::string& folder);

/// Fails with kIo, naming the file, when some of the model's weights could not be read since it was
/// opened: what was computed from them is wrong.
Expected<void> check_readable(const Model& model);

}  // namespace lab::files
