#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"

namespace lab {

/// Numbers that a smaller size dropped, and that the size before would not bring back: it would get
/// new ones. Numbers that nobody gave, as in a new session, are not among them.
struct DroppedNumbers {
  std::vector<std::string> matrices;  ///< "W_Q of head 2", "X"
  attention::Index count = 0;

  /// True when nothing was lost.
  bool empty() const { return count == 0; }
  /// Adds those of a later edit.
  void add(const DroppedNumbers& later);
};

/// True when both have the same sizes.
bool same_sizes(const attention::Config& a, const attention::Config& b);

/// What the edit of sizes between the two dropped; nothing when no size became smaller.
DroppedNumbers dropped_numbers(const Document& before, const Document& after);

}  // namespace lab
