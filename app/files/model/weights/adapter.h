#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/files/model/description.h"
#include "app/files/model/weights/checkpoint.h"

namespace lab::files {

/// A LoRA adapter as PEFT writes it: adapter_config.json and adapter_model.safetensors. It changes
/// a base model: W + α / r · B A, or α / √r · B A (rank-stabilised).
struct Adapter {
  std::string folder;
  std::string config;  ///< the text of adapter_config.json
  std::string base;    ///< the name or the path of the base model, as it says
};

/// True for a folder that holds an adapter, and no model of its own.
bool is_adapter_folder(const std::string& folder);

/// Reads the configuration of the adapter in `folder`. Fails with kIo when it cannot be read, and
/// with kBadInput naming the member when it is of another kind or set up in a way that is not
/// supported (DoRA, …).
Expected<Adapter> read_adapter(const std::string& folder);

/// Where the base of an adapter may lie on this machine, the likeliest first: a path beside the
/// adapter, and the path that it is.
std::vector<std::string> paths_of_base(const Adapter& adapter);

/// Adds the adapter's files and its changes to the base model `checkpoint`, whose description is
/// `description`. Returns what it changes as the end of a sentence: "14 weights (rank 8)". Fails
/// with kIo when its weights cannot be read, and with kBadInput naming the tensor when they are
/// damaged or do not fit.
Expected<std::string> apply_adapter(const Adapter& adapter, const Description& description,
                                    Checkpoint& checkpoint);

}  // namespace lab::files
