#include "app/files/examples_index.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/json_cursor.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestIndex = std::size_t{1} << 20;

std::string plain(std::string_view title) {
  constexpr std::array kQuotes = std::to_array<std::pair<std::string_view, char>>(
      {{"“", '"'}, {"”", '"'}, {"‘", '\''}, {"’", '\''}});
  std::string result;
  while (!title.empty()) {
    char c = title.front();
    std::size_t length = 1;
    for (const auto& [typographic, straight] : kQuotes) {
      if (!title.starts_with(typographic)) continue;
      c = straight;
      length = typographic.size();
    }
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    title.remove_prefix(length);
  }
  const std::size_t begin = std::min(result.find_first_not_of(' '), result.size());
  return result.substr(begin, result.find_last_not_of(' ') + 1 - begin);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// Where `make install` puts the assets: the program is in bin.
fs::path installed_assets() { return program_folder().parent_path() / "share" / "attention-lab"; }

// Those of a source folder that was moved with what was built in it, build/PRESET/bin.
fs::path assets_around_build() {
  const fs::path build = program_folder().parent_path().parent_path();
  const fs::path assets = build.parent_path() / "assets";
  return build.filename() == "build" && is_folder(assets / "examples") ? assets : fs::path();
}

std::vector<ExampleInfo> read_index(const std::string& text, const fs::path& folder) {
  const nlohmann::json index = parse_json(text);
  return JsonCursor(index).at("examples").read_each([&](const JsonCursor& example) {
    return ExampleInfo{example.at("name").text(), example.at("title").text(),
                       (folder / example.at("file").text()).string()};
  });
}

}  // namespace

bool same_title(std::string_view a, std::string_view b) { return plain(a) == plain(b); }

std::string assets_folder() {
  const char* chosen = std::getenv("ATTENTION_LAB_ASSETS");
  const std::array<fs::path, 4> candidates = {fs::path(chosen ? chosen : ""), installed_assets(),
                                              assets_around_build(),
                                              fs::path(ATTENTION_LAB_SOURCE_ASSETS)};
  for (const fs::path& candidate : candidates)
    if (!candidate.empty() && is_folder(candidate)) return candidate.string();
  return {};
}

std::vector<ExampleInfo> examples() {
  const std::string assets = assets_folder();
  if (assets.empty()) return {};
  const fs::path folder = fs::path(assets) / "examples";
  const auto index = read_bytes((folder / "index.json").string(), kLargestIndex);
  if (!index) return {};
  return guarded([&] { return read_index(*index, folder); }).value_or(std::vector<ExampleInfo>());
}

}  // namespace lab::files
