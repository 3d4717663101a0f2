#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/files/model/weights/checkpoint.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// The SHA-256 of one file of a model: of its weights, or its config.json.
struct WeightsHash {
  std::string file;    ///< its name in the model's folder
  std::string sha256;  ///< 64 digits of hexadecimal, as sha256sum prints them
  bool operator==(const WeightsHash&) const = default;
};

/// The hashes of all files of the weights. Reads every byte of them, about 0.25 GB a second (2 s
/// for the 550 MB of GPT-2), so it is for saving and opening sessions, not for opening a model.
/// Fails with kIo when a file cannot be read.
/// Reports the bytes to `watch`, which may be null, and throws as it does.
Expected<std::vector<WeightsHash>> weights_hashes(const Checkpoint& checkpoint,
                                                  attention::WorkWatch* watch = nullptr);

/// The hash of a config.json of that content.
WeightsHash config_hash(std::string_view json);

}  // namespace lab::files
