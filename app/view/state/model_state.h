#pragma once

#include <optional>
#include <vector>

#include "app/document/model/layer_name.h"
#include "core/network/attribution.h"

namespace lab::view {

/// What the tiles of all heads of a trained model show.
enum class TileView {
  kAttention,  ///< a small map of the weights
  kEffect,     ///< what the answer loses without the head
  kWritten,    ///< what the head writes to the answer directly
  kPrevious,   ///< attention to the token before
  kInduction,  ///< to what followed an equal token
  kDuplicate,  ///< to an equal token
  kFirst,      ///< to the first token
  kEntropy,    ///< of the weights
};

/// How a trained model is shown.
struct ModelState {
  TileView tiles = TileView::kAttention;
  std::vector<ModelHead> chosen;  ///< tiles that are selected besides the focused one
  std::optional<attention::network::Answer> answer;  ///< nothing: the likeliest token
  attention::Index tokens = 0;                       ///< of the text in the last frame
  bool at_end = false;                               ///< its last token was selected then
  std::optional<attention::Index> tile_in_view;      ///< the layer that the tiles were scrolled to
};

}  // namespace lab::view
