#pragma once

#include <string>

#include "app/view/state/recent_state.h"

namespace lab::shell {

/// Keeps the list of recent files, which all windows share, in its file.
class RecentKeeper {
 public:
  /// Keeps it in the file at `path`; empty: the list lives as long as the window.
  explicit RecentKeeper(std::string path) : path_(std::move(path)) {}

  /// Gives the list to a window. One that cannot be read is empty, and is left as it is.
  void apply(view::RecentState& recent);
  /// Carries out what became of the list. That it cannot be written is of no matter: work goes on
  /// without it.
  void keep(view::RecentState& recent);

 private:
  std::string path_;
};

}  // namespace lab::shell
