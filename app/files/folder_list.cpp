#include "app/files/folder_list.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/files/file_kind.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

namespace fs = std::filesystem;

constexpr std::array kKinds = std::to_array<std::pair<std::string_view, const char*>>({
    {".json", tr_later("Session")},
    {".safetensors", tr_later("Tensors")},
    {".npz", tr_later("Tensors")},
    {".png", tr_later("Figure")},
    {".svg", tr_later("Figure")},
    {".pdf", tr_later("Figure")},
    {".webp", tr_later("Figure")},
    {".html", tr_later("Figure")},
    {".npy", tr_later("Array")},
    {".csv", tr_later("Table")},
    {".tsv", tr_later("Table")},
    {".txt", tr_later("Numbers or vectors")},
    {".vec", tr_later("Vectors")},
    {".md", tr_later("Lesson")},
});

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

const char* kind_by_ending(const std::string& name) {
  if (name == "tokenizer.json") return tr_later("Tokenizer");
  const auto at = std::ranges::find(kKinds, ending_of(name), &decltype(kKinds)::value_type::first);
  return at == kKinds.end() ? "" : at->second;
}

const char* kind_by_content(const std::string& name, std::string_view start) {
  const bool whole = start.size() < kKindBytes;
  switch (file_kind(start)) {
    case FileKind::kSession:  // a type that stands late is not seen
      if (names_session(start)) return tr_later("Session");
      return whole ? "" : kind_by_ending(name);
    case FileKind::kTokenizer:
      return tr_later("Tokenizer");
    case FileKind::kFigure:
      return tr_later("Figure");
    case FileKind::kSafetensors:
      return tr_later("Tensors");
    case FileKind::kNpz:
      return begins_with_array(start) ? tr_later("Tensors") : "";
    case FileKind::kNpy:
    case FileKind::kNpyStack:
      return tr_later("Array");
    case FileKind::kTable:
      return tr_later("Table");
    case FileKind::kVectors:
      return tr_later("Vectors");
    default:
      return "";
  }
}

}  // namespace lab::files
