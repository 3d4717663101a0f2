#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lab::view {

struct Guide;

/// A page of the guide, or a section of it.
struct GuideLocation {
  std::string page = "README.md";  ///< file name
  std::string anchor;              ///< of the section's heading; empty: the top of the page
  bool operator==(const GuideLocation&) const = default;
};

/// An entry of the history.
struct GuideVisit {
  GuideLocation location;
  std::optional<float> scroll = {};  ///< last scroll position in pixels; nothing before it is shown
};

/// The state of the guide dialog.
struct GuideState {
  std::shared_ptr<const Guide> guide;   ///< null until it is opened
  std::vector<GuideVisit> visits{1};    ///< the history, oldest first; never empty
  std::size_t at = 0;                   ///< index of the current visit
  bool arrives = true;                  ///< the page must scroll to the current visit
  std::string keyboard_focus;           ///< name of the widget in the focus ring; empty: none
  bool focus_moved = false;             ///< that widget must scroll into view
  std::vector<std::string> stops;       ///< Tab stops of this frame, in drawing order
  std::vector<std::string> last_stops;  ///< those of the last frame
};

}  // namespace lab::view
