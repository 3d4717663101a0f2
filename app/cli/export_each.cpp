#include "app/cli/export_each.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "app/cli/verb.h"
#include "app/files/bytes.h"

namespace lab {
namespace {

void tell_progress(std::size_t done, std::size_t all) {
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r%zu of %zu files%s", done, all, done == all ? "\n" : "");
  else if (done == all)
    tell(std::to_string(all) + " files written");
}

Expected<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (std::filesystem::is_directory(folder, error)) return {};
  return fail(ErrorKind::kIo, "cannot make the folder " + folder);
}

}  // namespace

Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const StageOfHead& what)>& encode) {
  if (auto made = make_folder(folder); !made) return made;
  const auto all = all_stages_of_heads(document.problem);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto bytes = encode(all[i]);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto path = std::filesystem::path(folder) / (file_stem(all[i]) + ending);
    if (auto written = write_bytes(path, *bytes); !written) return written;
    tell_progress(i + 1, all.size());
  }
  return {};
}

}  // namespace lab
