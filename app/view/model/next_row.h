#pragma once

#include <optional>
#include <vector>

#include "app/document/analysis/analysis_result.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// A token that may come next.
struct NextToken {
  Prediction now;
  std::optional<float> before;  ///< its probability without the edits; unset: the same, or unknown
};

/// The ten likeliest tokens of the selected row, then those that are pinned besides; none
/// while they are not known.
std::vector<NextToken> next_tokens(const Ui& ui);

/// Draws a line of them, and handles clicks: the token becomes the answer, with Ctrl or by its −
/// what the answer is compared with; by its disc it is pinned.
void next_row(Ui& ui, Rect row, const NextToken& token);

}  // namespace lab::view
