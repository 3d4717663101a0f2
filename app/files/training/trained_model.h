#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "core/training/trainer.h"

namespace lab::files {

/// A file of a folder.
struct NamedFile {
  std::string name, bytes;
};

/// The files of a trained network as transformers reads them: config.json, model.safetensors,
/// tokenizer.json and tokenizer_config.json. With learned positions its type is GPT-2, with rotary
/// ones GPT-NeoX with a serial residual. Attention only is an MLP of one neuron and zeros; heads
/// that are smaller than d_model / heads are filled with zeros, and W_Q is scaled for it.
std::vector<NamedFile> trained_model_files(const attention::training::TrainingOptions& options,
                                           const attention::training::Task& task,
                                           const attention::training::TrainingState& state);

/// Writes them into `folder`, which is created if it is missing. Fails with kIo.
Expected<void> write_trained_model(const std::string& folder,
                                   const attention::training::TrainingOptions& options,
                                   const attention::training::Task& task,
                                   const attention::training::TrainingState& state);

}  // namespace lab::files
