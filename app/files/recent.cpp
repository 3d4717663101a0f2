#include "app/files/recent.h"

#include <algorithm>
#include <filesystem>

#include "app/base/json_cursor.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestList = std::size_t{1} << 18;

std::vector<std::string> parsed(const std::string& text) {
  std::vector<std::string> files = JsonCursor(parse_json(text), "the list").texts();
  files.resize(std::min(files.size(), kMostRecent));
  return files;
}

}  // namespace

std::string recent_path() { return user_path("XDG_STATE_HOME", ".local/state", "recent.json"); }

Expected<std::vector<std::string>> read_recent(const std::string& path) {
  std::error_code none;
  if (path.empty() || !fs::exists(path, none)) return std::vector<std::string>();
  return read_bytes(path, kLargestList).and_then([&](const std::string& text) {
    return guarded([&] { return parsed(text); }).map_error([&](const Error& error) {
      return Error{error.type, path + " holds no list of files: " + error.message};
    });
  });
}

Expected<void> write_recent(const std::string& path, const std::vector<std::string>& files) {
  std::string text = "[";
  for (const std::string& file : files)
    text += (text.size() > 1 ? ",\n " : "\n ") + json_string(file);
  std::error_code none;
  fs::create_directories(fs::path(path).parent_path(), none);
  return write_bytes(path, text + "\n]\n");
}

std::vector<std::string> with_newest(std::vector<std::string> files, const std::string& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error).lexically_normal();
  const std::string newest = error ? file : absolute.string();
  std::erase(files, newest);
  files.insert(files.begin(), newest);
  files.resize(std::min(files.size(), kMostRecent));
  return files;
}

}  // namespace lab::files
