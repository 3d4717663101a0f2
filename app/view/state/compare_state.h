#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/snapshot.h"
#include "app/document/words/paired_tokens.h"
#include "app/view/state/selection.h"

namespace lab::view {

/// What the cards show while two states are compared.
enum class CompareView {
  kA,           ///< the kept state
  kB,           ///< the edited state
  kDifference,  ///< B − A
};

/// The selection and head that were shown.
struct Look {
  Selection selection;
  int head = 0;
  bool operator==(const Look&) const = default;
};

/// The words of A and B, paired when those of B last changed.
struct ComparedWords {
  PairedTokens pairs;
  std::vector<std::string> queries, keys;  ///< the words of B that are paired
  std::uint64_t number = 0;                ///< another one for each pairing; 0: nothing is paired
};

/// The comparison of a kept state, A, with the edited one, B.
struct CompareState {
  std::shared_ptr<const Snapshot> a;  ///< null: nothing is compared
  CompareView view = CompareView::kB;
  ComparedWords words;
  bool held = false;           ///< the key or button that shows A is held down
  bool was_a = false;          ///< A was shown in the last frame
  Look look_b, look_a;         ///< what was shown in B before A appeared, and what is shown in A
  bool one_range = false;      ///< one colour range for all cards, from the largest difference
  std::optional<float> range;  ///< the end of the range of all cards, if it is locked

  /// The state shown in place of the current one; null when that is shown.
  const Snapshot* shown() const {
    return a && (held || view == CompareView::kA) ? a.get() : nullptr;
  }
  /// True when the cards show the edited state, so that it can be edited in them.
  bool shows_edited() const { return shown() == nullptr && !shows_difference(); }
  /// True when the cards show B − A.
  bool shows_difference() const { return a && !held && view == CompareView::kDifference; }
};

}  // namespace lab::view
