#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"

namespace lab::files {

/// A part of a matrix: its top left corner and its size, in 0 … 1 of the matrix; x counts columns.
struct MatrixPart {
  float x = 0, y = 0, w = 1, h = 1;
  bool whole() const { return w >= 1 && h >= 1; }
  bool operator==(const MatrixPart&) const = default;
};

/// The ends of the colours of a stage.
struct ColourRange {
  float lo = 0, hi = 1;
  bool operator==(const ColourRange&) const = default;
};

/// How a session is looked at: saved with it, never undone. Heads, rows and columns count from 0.
/// What does not suit the document is for whoever shows it to leave out.
struct SessionView {
  int head = 0;         ///< the focused one
  int second_head = 1;  ///< the one that is set against it
  StageCell selected{attention::Stage::kWeights};
  std::vector<StageCell> pins;
  std::map<attention::Stage, MatrixPart> zoom;  ///< of maps that are not shown whole
  std::optional<attention::Stage> large;        ///< the card that stands over the others
  std::string range;  ///< "shared" or "locked"; empty: each matrix by its own numbers
  std::map<attention::Stage, ColourRange> locked;  ///< where they are locked
  std::string heads_order;             ///< "entropy", "strongest", …; empty: by number
  std::string heads_shown;             ///< "mean", "difference", …; empty: the focused head alone
  std::string token_lines;             ///< "all" or "heads"; empty: of the selected query
  std::string weights_palette;         ///< empty: the one that suits the stage
  std::string edited;                  ///< the matrix in the editor, by matrix_name; empty: W_Q
  int edited_row = 0, edited_col = 0;  ///< where its cursor is
  bool operator==(const SessionView&) const = default;
};

}  // namespace lab::files
