#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/model/build_network.h"
#include "app/files/model/families.h"
#include "app/tests/fuzz/input.h"

// A config.json that is accepted describes a network whose sizes fit each other. Without tensors it
// cannot be built, and the message names the tensor that is missing.

namespace lab::fuzz {
namespace {

void check(const Description& d) {
  must(d.d_model > 0 && d.n_heads > 0 && d.head_dim > 0 && d.vocabulary > 0);
  must(d.n_kv_heads > 0 && d.n_heads % d.n_kv_heads == 0);
  must(std::ssize(d.layers) == d.n_layers);
  must(family_of(d).type == d.family);
}

}  // namespace

void try_input(std::string_view input) {
  const auto description = guarded([&] { return read_description(parse_json(input)); });
  if (!description) return must(!description.error().message.empty());
  check(*description);
  const auto network = guarded([&] { return build_network(*description, Checkpoint()).network; });
  must(!network && network.error().message.find("tensor") != std::string::npos);
}

}  // namespace lab::fuzz
