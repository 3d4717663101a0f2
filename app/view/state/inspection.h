#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/files/session/session_view.h"
#include "app/view/state/data_flow.h"
#include "app/view/state/selection.h"

namespace lab::view {

/// What is lit up because the pointer is on something that belongs to it.
struct Lit {
  LitRegions regions;
  CellTokens tokens;
};

/// A cell that was looked at, and how the window stood then.
struct Visit {
  attention::CellRef cell;
  Selection selection;
  int head = 0;
};

/// The cells that were looked at, in order; back and forward walk along them.
struct Trail {
  static constexpr std::size_t kLongest = 200;
  std::vector<Visit> visits;
  std::size_t here = 0;  ///< the one that is looked at
};

/// A block of cells of a stage that is summed up.
struct StageBlock {
  attention::Stage stage = attention::Stage::kWeights;
  Cell from, to;  ///< two opposite corners
};

/// What the colours of the stages stand for.
enum class RangeMode {
  kAutomatic,  ///< each matrix by its own numbers
  kShared,     ///< a stage has one range for all heads
  kLocked,     ///< what it was when it was locked, whatever the numbers become
};

/// What is read in the maps, and how: never undone.
struct Reading {
  Lit lit;       ///< as the pointer stood in the last frame
  Lit next_lit;  ///< found in this one
  std::vector<attention::CellRef> pins;
  bool all_pins = false;  ///< Explain lists every one of them
  Trail trail;
  std::vector<std::size_t> expanded;  ///< lines of the explanation that are shown whole …
  attention::CellRef expanded_of;     ///< … of this cell
  std::map<attention::Stage, files::MatrixPart> parts;  ///< what zoomed cards show
  std::optional<attention::Stage> large;  ///< the card that stands large over the centre
  bool on_map = false;                    ///< the pointer is on a map that takes the wheel
  bool selecting = false;                 ///< a block is selected while the button is down
  RangeMode range_mode = RangeMode::kAutomatic;
  std::map<attention::Stage, figure::Range> locked;
  std::optional<StageBlock> block;
};

}  // namespace lab::view
