#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/model/layer_name.h"

namespace lab::view {

/// The metric by which the thumbnails of the heads are ordered, the largest first.
enum class HeadOrder { kNumber, kEntropy, kStrongest, kDiagonal, kPrevious, kFirst, kShift };

/// Which heads the card of the weights shows; kBeside and kDifference: the cards of all stages.
enum class HeadView {
  kFocused,     ///< only the focused head
  kMean,        ///< the mean of all heads
  kMaximum,     ///< the largest weight of all heads in each cell
  kDifference,  ///< the focused head minus the second, and minus each of the further ones
  kBeside,      ///< the focused head, the second and the further ones, side by side
  kOverlaid,    ///< the second head's weights drawn over the focused head's
};

/// How the heads are shown.
struct HeadsState {
  HeadOrder order = HeadOrder::kNumber;
  HeadView view = HeadView::kFocused;
  int second = 1;            ///< the head that is compared with the focused one, from
                             ///< 0
  std::vector<int> further;  ///< compared besides, from 0, in the order in which they were added
  std::optional<std::string> scale_text;  ///< a head's scale while it is being typed
  std::vector<HeadRef> chosen;            ///< selected besides the focused one
  std::vector<HeadRef> marked;            ///< by the user, to find them again
  std::optional<HeadRef> menu;            ///< whose menu is open
};

}  // namespace lab::view
