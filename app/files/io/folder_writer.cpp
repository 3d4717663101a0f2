#include "app/files/io/folder_writer.h"

#include <filesystem>

#include "app/files/io/bytes.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

Expected<void> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::is_directory(folder, error)) return {};
  return fail(ErrorType::kIo, "cannot create the folder " + folder);
}

}  // namespace

Expected<void> write_folder(const std::string& folder, const std::vector<std::string>& names,
                            const std::function<Expected<std::string>(std::size_t index)>& encode,
                            const std::function<void(std::size_t done)>& on_written) {
  if (auto made = make_folder(folder); !made) return made;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto bytes = encode(i);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const std::string path = (fs::path(folder) / names[i]).string();
    if (auto written = write_bytes(path, *bytes); !written) return written;
    on_written(i + 1);
  }
  return {};
}

}  // namespace lab::files
