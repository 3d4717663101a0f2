#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab::view {

/// The files that were opened or saved last, and what is to become of the list.
struct RecentState {
  std::vector<std::string> files;      ///< absolute paths, the last one first
  std::optional<std::string> newest;   ///< to be put first
  std::optional<std::string> missing;  ///< to be taken off, as it is not there any more
  bool clear = false;                  ///< to be emptied
};

}  // namespace lab::view
