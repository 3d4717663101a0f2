#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lab::files {

/// The shards of a checkpoint: the names of files in the model's folder, each with the names of the
/// tensors that it should have.
using ShardIndex = std::map<std::string, std::set<std::string>>;

/// Reads a model.safetensors.index.json. Throws BadInput saying what is wrong when it is not JSON,
/// its weight_map is missing, empty or maps a tensor to something that is not the name of a file in
/// the folder itself.
ShardIndex read_shard_index(std::string_view text);

}  // namespace lab::files
