#include <unistd.h>

#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/model/model_folder.h"
#include "app/tests/fuzz/input.h"

// The pytorch_model.bin of a small GPT-2, as users open it.

namespace lab::fuzz {
namespace {

// A folder with the configuration of that model.
std::string folder_of_input() {
  static const std::string folder = [] {
    const std::filesystem::path beside =
        std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    const std::filesystem::path made = beside / ("fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    std::filesystem::copy_file(GOLDEN_MODELS "/gpt2/config.json", made / "config.json",
                               std::filesystem::copy_options::overwrite_existing);
    return made.string();
  }();
  return folder;
}

}  // namespace

void try_input(std::string_view input) {
  must(write_bytes(folder_of_input() + "/pytorch_model.bin", input).has_value());
  const auto model = open_model(folder_of_input());
  if (!model) must(!model.error().message.empty());
}

}  // namespace lab::fuzz
