#pragma once

#include <memory>
#include <optional>

#include "app/document/snapshot.h"
#include "app/view/state/selection.h"

namespace lab::view {

/// What the cards show while two states are compared.
enum class CompareView {
  kA,           ///< what was kept
  kB,           ///< what is being edited
  kDifference,  ///< B − A
};

/// Where the user looked.
struct Look {
  Selection selection;
  int head = 0;
  bool operator==(const Look&) const = default;
};

/// The comparison of a state that was kept, A, with the one that is edited, B.
struct CompareState {
  std::shared_ptr<const Snapshot> a;  ///< nothing: nothing is compared
  CompareView view = CompareView::kB;
  bool held = false;           ///< the key or button that shows A is down
  bool was_a = false;          ///< A was shown in the last frame
  Look look_b, look_a;         ///< where the user looked when A came up, and what A has of it
  bool one_range = false;      ///< the colours of all cards follow the largest difference of all
  std::optional<float> range;  ///< the end of the range of all cards, where it is locked

  /// What is shown in place of the present state; null when that is shown.
  const Snapshot* shown() const {
    return a && (held || view == CompareView::kA) ? a.get() : nullptr;
  }
  /// True when the cards show what is edited, so that it can be edited in them.
  bool shows_edited() const { return shown() == nullptr && !shows_difference(); }
  /// True when the cards show B − A.
  bool shows_difference() const { return a && !held && view == CompareView::kDifference; }
};

}  // namespace lab::view
