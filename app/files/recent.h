#pragma once

#include <string>
#include <vector>

#include "app/base/error.h"

namespace lab::files {

/// Most files that are remembered.
inline constexpr std::size_t kMostRecent = 10;

/// Where the files that were opened or saved last are remembered: attention-lab/recent.json in
/// $XDG_STATE_HOME or ~/.local/state; empty when neither is known.
std::string recent_path();

/// Those files as absolute paths, the last one first; none where there is no such list. Fails with
/// kIo or kBadInput when it cannot be read or is something else.
Expected<std::vector<std::string>> read_recent(const std::string& path);
/// Writes the list, making its folder when it is not there. Fails with kIo.
Expected<void> write_recent(const std::string& path, const std::vector<std::string>& files);

/// The list once `file` was opened or saved: it comes first, and once, as an absolute path.
std::vector<std::string> with_newest(std::vector<std::string> files, const std::string& file);

}  // namespace lab::files
