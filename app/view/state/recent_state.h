#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lab::view {

/// The files that were opened or saved last, and pending changes of the list.
struct RecentState {
  std::vector<std::string> files;      ///< absolute paths, the latest first
  std::optional<std::string> newest;   ///< to be added in front
  std::optional<std::string> missing;  ///< to be removed, because it no longer exists
  bool clear = false;                  ///< to be cleared
};

}  // namespace lab::view
