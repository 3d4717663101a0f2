#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/model/layer_name.h"
#include "core/network/attribution.h"

namespace lab::files {

/// A cell of a stage of a layer.
struct LayerCell {
  attention::network::LayerPlace at;
  StageCell cell;
  bool operator==(const LayerCell&) const = default;
};

/// How the heads and predictions of a trained model are viewed. Layers, heads and rows count from
/// 0. The values may not suit the model; whoever shows it ignores those that do not.
struct ModelView {
  std::string tiles;            ///< "effect", "written", …; empty: attention
  bool sorted = false;          ///< heads of a layer by the number shown, the largest first
  std::vector<HeadRef> chosen;  ///< heads that are selected besides the focused one
  std::vector<HeadRef> marked;  ///< by the user
  std::optional<attention::network::Answer> answer;  ///< nothing: the likeliest token
  std::vector<std::uint32_t> pinned;                 ///< ids of tokens whose probability is watched
  std::vector<LayerCell> pins;                       ///< of the layers that are not looked at
  /// Pins of these layers whose words were removed, at their places in the lines of DetachedPins.
  std::vector<LayerCell> detached_pins;
  /// The layer that the view is of; nothing: the one that the session looks at.
  std::optional<attention::network::LayerPlace> layer;
  bool operator==(const ModelView&) const = default;
};

}  // namespace lab::files
