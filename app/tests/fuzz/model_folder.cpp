#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/model/build_network.h"
#include "app/files/model/families.h"
#include "app/files/model/weights/shard_index.h"
#include "app/tests/fuzz/input.h"

// A model's config.json and its list of shards.

namespace lab::fuzz {
namespace {

void check(const Description& d) {
  must(d.d_model > 0 && d.n_heads > 0 && d.head_dim > 0 && d.vocabulary > 0);
  must(d.n_kv_heads > 0 && d.n_heads % d.n_kv_heads == 0);
  must(std::ssize(d.layers) == d.n_layers);
  must(family_of(d).type == d.family);
}

// A config.json that is accepted describes a network whose sizes fit each other. Without tensors it
// cannot be built, and the message names the tensor that is missing.
void try_model_config(std::string_view input) {
  const auto description = guarded([&] { return read_description(parse_json(input)); });
  if (!description) return must(!description.error().message.empty());
  check(*description);
  const auto network = guarded([&] { return build_network(*description, Checkpoint()).network; });
  must(!network && network.error().message.find("tensor") != std::string::npos);
}

// A list of shards that is accepted names files of the folder itself, each for some tensor.
void try_model_index(std::string_view input) {
  const auto shards = guarded([&] { return files::read_shard_index(input); });
  if (!shards) return must(!shards.error().message.empty());
  must(!shards->empty());
  for (const auto& [file, tensors] : *shards) {
    must(!file.empty() && file != ".." && file.find_first_of("/\\") == std::string::npos);
    must(!tensors.empty());
  }
}

}  // namespace

void try_input(std::string_view input) {
  constexpr Target kTargets[] = {{"model_config", try_model_config},
                                 {"model_index", try_model_index}};
  try_target(kTargets, input);
}

}  // namespace lab::fuzz
