#include "app/files/folder_list.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/files/file_formats.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

// Files that are read by their ending alone, or that may be of several formats.
constexpr std::array kOtherEndings = std::to_array<std::pair<std::string_view, const char*>>(
    {{".txt", tr_later("Numbers or vectors")}, {".md", tr_later("Lesson")}});

}  // namespace

std::string name_key(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

std::vector<FolderEntry> entries_of_folder(const std::string& folder) {
  std::vector<std::pair<std::string, FolderEntry>> named;  // by the name in lower case
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end;
       !error && at != end && named.size() < kMostListed; at.increment(error)) {
    std::error_code none;
    std::string name = at->path().filename().string();
    const bool is_folder = at->is_directory(none);
    std::string key = name_key(name);
    named.emplace_back(std::move(key), FolderEntry{std::move(name), is_folder});
  }
  std::ranges::sort(named, [](const auto& a, const auto& b) {
    return std::tuple(!a.second.is_folder, a.first, a.second.name) <
           std::tuple(!b.second.is_folder, b.first, b.second.name);
  });
  std::vector<FolderEntry> entries;
  entries.reserve(named.size());
  for (auto& [key, entry] : named) entries.push_back(std::move(entry));
  return entries;
}

const char* type_by_ending(const std::string& name) {
  if (name == "tokenizer.json") return file_format(FileType::kTokenizer).listed;
  const std::string ending = ending_of(name);
  if (ending.empty()) return "";
  for (const FileFormat& format : file_formats())
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return format.listed;
  for (const auto& [other, listed] : kOtherEndings)
    if (ending == other) return listed;
  return "";
}

const char* type_by_content(const std::string& name, std::string_view start) {
  const bool whole = start.size() < kTypeBytes;
  const FileType type = file_type(start);
  // A type that stands late in the file is not found.
  if (type == FileType::kSession && !names_session(start)) return whole ? "" : type_by_ending(name);
  if (type == FileType::kNpz && !begins_with_array(start)) return "";
  const char* const listed = file_format(type).listed;
  return listed ? listed : "";
}

}  // namespace lab::files
