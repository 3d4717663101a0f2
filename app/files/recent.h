#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"

namespace lab::files {

/// How many recent files are remembered.
inline constexpr std::size_t kMostRecent = 10;

/// The file that lists the recently opened or saved files: attention-lab/recent.json in
/// $XDG_STATE_HOME or ~/.local/state; empty when neither is known.
std::string recent_path();

/// The recent files as absolute paths, most recent first; empty when there is no such list. Fails
/// with kIo or kBadInput when it cannot be read or is something else.
Expected<std::vector<std::string>> read_recent(const std::string& path);
/// Writes the list, creating its folder if needed. Fails with kIo.
Expected<void> write_recent(const std::string& path, const std::vector<std::string>& files);

/// `files` with `file`, as an absolute path, moved or added to the front.
std::vector<std::string> with_newest(std::vector<std::string> files, const std::string& file);

}  // namespace lab::files
