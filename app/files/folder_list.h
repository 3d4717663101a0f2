#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::files {

/// A file or folder in a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  bool operator==(const FolderEntry&) const = default;
};

/// Most entries that are listed.
inline constexpr std::size_t kMostListed = 5000;

/// What `folder` holds: the folders first, each part by name, upper and lower case alike. Empty
/// when it cannot be read.
std::vector<FolderEntry> entries_of_folder(const std::string& folder);

/// The name as it is sorted and searched: letters of ASCII in lower case.
std::string name_key(std::string name);

/// The kind of the file by the ending of its name, as the window can open it: a word to translate,
/// such as "Session"; empty when nothing opens it.
const char* type_by_ending(const std::string& name);

/// The same of a file called `name` that begins with `start`, by its content. A lesson is none of
/// these kinds. `start` needs the first kTypeBytes.
const char* type_by_content(const std::string& name, std::string_view start);

}  // namespace lab::files
