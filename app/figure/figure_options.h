#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/colour/palette.h"
#include "core/explain/explain.h"
#include "core/layer/trace.h"
#include "core/matrix_id.h"

namespace lab::figure {

/// What a figure shows.
enum class FigureKind {
  kMap,         ///< one stage of one head
  kHeads,       ///< one stage of several heads, as a grid; one map if all heads share the stage
  kPipeline,    ///< every stage of one head
  kTwoHeads,    ///< one stage of two heads, and the first minus the second
  kTwoStates,   ///< one stage of the kept state A, of the present state B, and B − A
  kLines,       ///< lines from the queries to the keys that they look at
  kArithmetic,  ///< the calculation behind one cell
  kMean,        ///< the mean of the weights of the heads that are active; of other stages: one head
  kMaximum,     ///< the largest of their weights in each cell; of other stages: one head
};

/// How the colour range of a map is chosen.
enum class RangeRule {
  kAutomatic,  ///< of its own numbers: automatic_range
  kShared,     ///< one that holds the numbers of all heads
  kRobust,     ///< without the lowest and the highest 2 % of them: robust_range
  kFixed,      ///< FigureOptions::range
};

/// What is marked in maps. Marks on stages that the figure does not show are ignored.
struct FigureMarks {
  std::vector<attention::CellRef> pins;
  std::optional<attention::CellRef> selected;
  bool overrides = true;  ///< mark the corner of each overridden cell
  bool operator==(const FigureMarks&) const = default;
};

/// Another name for a token.
struct TokenName {
  bool second = false;  ///< of the second sentence, in cross-attention
  attention::Index position = 0;
  std::string text;  ///< empty: it has no label
  bool operator==(const TokenName&) const = default;
};

/// What a figure shows and how it looks; shared by the window and the command line.
struct FigureOptions {
  FigureKind kind = FigureKind::kMap;
  attention::Stage stage = attention::Stage::kWeights;  ///< not of kPipeline; kLines: weights
  attention::Index head = 0;                            ///< from 0; not of kHeads
  /// Of kMap: an input or a parameter, that of `head`, in place of the stage.
  std::optional<attention::MatrixId> matrix{};
  /// What is called so is differentiated: the numbers are a gradient (see gradient_snapshot), in
  /// signed colours, and titles say so. Empty: they are the numbers themselves.
  std::string moved{};
  attention::Index second_head = 1;       ///< of kTwoHeads
  std::vector<attention::Index> heads{};  ///< of kHeads, in order; none: all
  int grid_columns = 0;                   ///< of kHeads; 0: as many as fit
  bool layers = false;  ///< of kHeads: each line of the grid is a layer, whose heads are named so
  std::vector<attention::Index> line_heads{};  ///< of kLines, a colour each; none: `head`
  std::optional<attention::Index> row{};  ///< of kArithmetic; kLines: the query, nothing for all
  attention::Index column = 0;            ///< of kArithmetic
  double share = 0.9;  ///< of a query's weight that its lines hold together, 0 … 1

  std::vector<attention::Index> queries{}, keys{};  ///< of maps and lines, ascending; none: all
  std::vector<TokenName> names{};                   ///< of tokens, everywhere in the figure
  bool row_labels = true, column_labels = true;     ///< of maps; of lines: queries and keys
  bool letters = false;                             ///< (a), (b) … before the titles of maps

  std::optional<Palette> palette{};  ///< nothing: default_palette of the stage
  RangeRule range_rule = RangeRule::kAutomatic;
  Range range{};                    ///< for kFixed: its ends
  Spread spread = Spread::kLinear;  ///< of the colours over the range
  std::optional<float> centre{};    ///< the range is widened to be even about it
  bool annotate = false;            ///< values inside the cells
  int decimals = 2;                 ///< of those values, or significant digits …
  bool significant = false;         ///< … when this is set
  bool exact = false;  ///< never more than `decimals`, even if a small value becomes 0.00
  bool colour_bar = true;
  double gap = 1;  ///< between the heads of a grid, as a multiple of what it is by default
  double width_mm = 89;
  std::optional<double> height_mm{};  ///< the page is no higher: cells, then letters, are smaller
  double dpi = 300;
  double font_size = 7;                ///< points
  std::string family{};                ///< of the text; empty: kFigureFamily
  std::optional<std::string> title{};  ///< nothing: the figure's own title; empty: none
  std::string subtitle{};              ///< a line below the figure's own title; empty: none
  bool dark = false;
  bool transparent = false;  ///< no background
  FigureMarks marks{};
  bool operator==(const FigureOptions&) const = default;
};

}  // namespace lab::figure
