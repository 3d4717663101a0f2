#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/document/model/layer_name.h"
#include "app/document/words/detached.h"
#include "core/network/attribution.h"

namespace lab::files {

/// A part of a matrix: its top left corner and its size as fractions of the matrix, 0 … 1; x counts
/// columns.
struct MatrixRegion {
  float x = 0, y = 0, w = 1, h = 1;
  /// True for the whole matrix.
  bool whole() const { return w >= 1 && h >= 1; }
  bool operator==(const MatrixRegion&) const = default;
};

/// The ends of the colour range of a stage.
struct ColourRange {
  float lo = 0, hi = 1;
  bool operator==(const ColourRange&) const = default;
};

/// How the colours of a map are chosen, by name; empty: the default way.
struct ColourChoice {
  std::string range;   ///< "shared", "robust" or "locked"
  std::string spread;  ///< "sqrt" or "log"
  bool operator==(const ColourChoice&) const = default;
};

/// Pins of words that were removed, which return with them. Rows and columns that stand for words
/// are places in the lines of words; see app/document/words/detached.h.
struct DetachedPins {
  std::vector<RemovedToken> queries, keys;
  std::vector<StageCell> pins;
  bool operator==(const DetachedPins&) const = default;
};

/// A cell of a stage of a layer.
struct LayerCell {
  attention::network::LayerId at;
  StageCell cell;
  bool operator==(const LayerCell&) const = default;
};

/// How the heads and predictions of a trained model are viewed. Layers, heads and rows count from
/// 0. The values may not suit the model; the window ignores those that do not.
struct ModelView {
  std::string tiles;            ///< "effect", "written", …; empty: attention
  bool sorted = false;          ///< heads of a layer by the number shown, the largest first
  std::vector<HeadRef> chosen;  ///< heads that are selected besides the focused one
  std::vector<HeadRef> marked;  ///< by the user
  std::optional<attention::network::Answer> answer;  ///< unset: the likeliest token
  std::vector<std::uint32_t> pinned;                 ///< ids of tokens whose probability is watched
  std::vector<LayerCell> pins;                       ///< of the layers that are not shown
  /// Pins of these layers whose words were removed, at their indices in the lines of DetachedPins.
  std::vector<LayerCell> detached_pins;
  /// The layer that the view is of; unset: the one that the session shows.
  std::optional<attention::network::LayerId> layer;
  bool operator==(const ModelView&) const = default;
};

/// How a session is viewed: saved with it, never undone. Heads, rows and columns count from 0. The
/// values may not suit the document; the window ignores those that do not.
struct SessionView {
  int head = 0;                    ///< the focused one
  int second_head = 1;             ///< the one it is compared with
  std::vector<int> further_heads;  ///< compared besides, in order
  StageCell selected{attention::Stage::kWeights};
  std::vector<StageCell> pins;
  DetachedPins detached_pins;
  std::map<attention::Stage, MatrixRegion> zoom;  ///< of maps that do not show the whole matrix
  std::optional<attention::Stage> large;          ///< the card that covers the others
  ColourChoice colours;                           ///< of all maps …
  std::map<attention::Stage, ColourChoice> own_colours;  ///< … and of those with their own
  std::map<attention::Stage, ColourRange> locked;        ///< the ends of locked ranges
  std::string heads_order;             ///< "entropy", "strongest", …; empty: by number
  std::string heads_shown;             ///< "mean", "difference", …; empty: only the focused head
  std::string token_lines;             ///< "all" or "heads"; empty: those of the selected query
  std::string weights_palette;         ///< empty: the one that suits the stage
  std::string edited;                  ///< the matrix in the editor, by matrix_name; empty: W_Q
  int edited_row = 0, edited_col = 0;  ///< where its cursor is
  ModelView model;                     ///< of a trained model
  bool operator==(const SessionView&) const = default;
};

}  // namespace lab::files
