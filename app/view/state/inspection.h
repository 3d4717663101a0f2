#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/files/session/session_view.h"
#include "app/view/state/data_flow.h"
#include "app/view/state/map_ranges.h"
#include "app/view/state/selection.h"
#include "core/explain/explain.h"
#include "core/network/interventions.h"

namespace lab::view {

/// What is highlighted because the pointer is on something related to it.
struct Highlight {
  HighlightRegions regions;
  CellTokens tokens;
};

/// A cell that was visited, and what was shown then.
struct Visit {
  attention::CellRef cell;
  Selection selection;
  int head = 0;
};

/// The visited cells in order, which back and forward step through.
struct Trail {
  static constexpr std::size_t kLongest = 200;
  std::vector<Visit> visits;
  std::size_t here = 0;  ///< the current one
};

/// A block of cells of a stage that is summarised.
struct StageBlock {
  attention::Stage stage = attention::Stage::kWeights;
  Cell from, to;  ///< two opposite corners
};

/// How the maps are inspected: never undone.
struct Inspection {
  Highlight highlight;                   ///< from the pointer's position in the last frame
  Highlight next_highlight;              ///< found in this frame
  std::vector<attention::CellRef> pins;  ///< of the layer that is shown
  bool all_pins = false;                 ///< Explain lists all of them
  Trail trail;
  std::vector<std::size_t> expanded;  ///< lines of the explanation that are shown in full …
  attention::CellRef expanded_of;     ///< … of this cell
  std::map<attention::Stage, files::MatrixRegion> regions;  ///< the parts that zoomed cards show
  bool largest_first = false;  ///< Explain sorts the terms of sums by what they contribute
  std::optional<attention::Stage> large;  ///< the card that is enlarged over the centre
  bool on_map = false;                    ///< the pointer is on a map that handles the wheel
  bool scrolling = false;                 ///< the wheel scrolls, also over maps
  bool selecting = false;                 ///< a block is being selected with the button down
  MapRanges ranges;
  std::optional<StageBlock> block;
};

/// "What moves this?": the maps show how much each number moves the one that is asked about.
struct SensitivityState {
  bool on = false;
  bool held = false;    ///< the question stays, whatever is selected
  bool answer = false;  ///< of a trained model: the answer is asked about, not a cell
  std::optional<attention::CellRef> cell;  ///< that is asked about; unset: not known yet
  attention::network::LayerId at;          ///< the layer of a trained model that it belongs to
};

}  // namespace lab::view
