#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/document/model/layer_name.h"
#include "app/figure/colour/palette.h"

// How heads are shown, in maps and as lines between tokens.

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

/// Which lines the Tokens card draws.
enum class TokenLines {
  kQuery,  ///< of the selected query in the focused head
  kAll,    ///< of every query in the focused head
  kHeads,  ///< of the selected query in several heads, each in its colour
};

/// How the lines from queries to keys are drawn.
struct TokensState {
  TokenLines lines = TokenLines::kQuery;
  float share = 0.9f;  ///< the fraction of a query's weight that its lines add up to
  /// The head, from 0, of each colour; −1: none.
  std::array<int, figure::kLineColours> heads{0, 1, 2, 3, 4, 5, 6};
};

}  // namespace lab::view
