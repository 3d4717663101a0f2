#include <unistd.h>

#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/model/model_folder.h"
#include "app/tests/fuzz/input.h"
#include "core/network/network_evaluator.h"

// A GGUF file, as users open it: a model that is accepted computes a text of two tokens.

namespace lab::fuzz {
namespace {

std::string path_of_input() {
  static const std::string folder =
      std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  static const std::string path = folder + "/fuzz-" + std::to_string(getpid()) + ".gguf";
  return path;
}

}  // namespace

void try_input(std::string_view input) {
  must(write_bytes(path_of_input(), input).has_value());
  const auto model = open_model(path_of_input());
  if (!model) return must(!model.error().message.empty());
  attention::network::NetworkEvaluator evaluator(1);
  const auto last = static_cast<std::uint32_t>(model->network.stack.embedding.tokens.rows() - 1);
  try {
    evaluator.evaluate(model->network, {.ids = {0, last}, .types = {}, .encoder_ids = {}}, {});
  } catch (const std::invalid_argument&) {  // more tokens than positions
  }
}

}  // namespace lab::fuzz
