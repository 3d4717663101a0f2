#include "app/base/bad_input.h"
#include "app/files/model/weights/shard_index.h"
#include "app/tests/fuzz/input.h"

// A list of shards that is accepted names files of the folder itself, each for some tensor.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const auto shards = guarded([&] { return files::read_shard_index(input); });
  if (!shards) return must(!shards.error().message.empty());
  must(!shards->empty());
  for (const auto& [file, tensors] : *shards) {
    must(!file.empty() && file != ".." && file.find_first_of("/\\") == std::string::npos);
    must(!tensors.empty());
  }
}

}  // namespace lab::fuzz
