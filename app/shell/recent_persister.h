#pragma once

#include <string>

#include "app/view/state/files_state.h"

namespace lab::shell {

/// Keeps the list of recent files, which all windows share, on disk.
class RecentPersister {
 public:
  /// Keeps it in the file at `path`; with an empty path the list lasts as long as the window.
  explicit RecentPersister(std::string path) : path_(std::move(path)) {}

  /// Passes the list to a window. A list that cannot be read is treated as empty and left alone.
  void apply(view::RecentState& recent);
  /// Applies changes to the list. A failure to write it is ignored, because the program works
  /// without it.
  void keep(view::RecentState& recent);

 private:
  std::string path_;
};

}  // namespace lab::shell
