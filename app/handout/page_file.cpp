#include "app/handout/page_file.h"

#include <cstdlib>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"

namespace lab::handout {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestBuiltPage = 64'000'000;
constexpr const char* kPageName = "attention-lab.html";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

Expected<std::string> page_file() {
  if (const char* chosen = std::getenv("ATTENTION_LAB_PAGE"); chosen != nullptr && *chosen != 0) {
    if (is_there(chosen)) return std::string(chosen);
    return fail(ErrorType::kIo, "there is no file " + in_quotes(chosen) +
                                    ", where $ATTENTION_LAB_PAGE says that the page is");
  }
  const fs::path assets = files::assets_folder();
  if (!assets.empty()) {
    const fs::path installed = assets / "page" / kPageName;
    const fs::path built = assets.parent_path() / "build" / "web" / kPageName;
    for (const fs::path& path : {installed, built})
      if (is_there(path)) return path.string();
  }
  return fail(ErrorType::kIo,
              "the page that computes was not built: in the source folder, \"sh "
              "third_party/setup.sh web\" makes it; if it is elsewhere, set ATTENTION_LAB_PAGE to "
              "its file");
}

Expected<std::string> read_page() {
  auto path = page_file();
  if (!path) return path;
  auto page = files::read_bytes(*path, kLargestBuiltPage);
  if (page && page->find(kPageAssets) == std::string::npos)
    return fail(ErrorType::kBadInput, in_quotes(*path) + " is not the page that computes");
  return page;
}

}  // namespace lab::handout
