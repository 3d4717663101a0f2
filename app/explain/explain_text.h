#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/explain/explain.h"

namespace lab::explain {

/// Words of a line that give a number, and the cell that holds it: "bias 0.50".
struct Mention {
  std::string text;
  attention::CellRef cell;
};

/// One line of the arithmetic of a cell: a name, then numbers, or a calculation and its result.
/// Example: name "weight", before "5.89 ÷ 8.41 =", result "0.70", after "".
struct ExplainLine {
  std::string name;                       ///< "Q[it]", "score"
  std::vector<float> values;              ///< numbers side by side; empty for a single result
  std::string before;                     ///< words before the result
  std::string result;                     ///< the resulting number; empty when `values` are enough
  std::string after;                      ///< words after the result: "sum of products"
  std::vector<attention::CellRef> cells;  ///< the cell of each of `values`; empty: none
  std::optional<attention::CellRef> source;  ///< the cell of `result`, if any
  std::vector<Mention> mentions;             ///< the parts of `after` that are cells, in order
};

/// The name of a cell for people: "weights[it, animal]", "output[it, animate]".
std::string cell_title(const Document& document, attention::Stage stage, attention::Index row,
                       attention::Index col);

/// One sentence on what the cell means: How much of “animal” flows into “it” in head 1.
std::string cell_meaning(const Document& document, attention::Stage stage, attention::Index head,
                         attention::Index row, attention::Index col);

/// The arithmetic of a cell from the rows it is computed from to its value. For scores and
/// everything up to the weights it starts from Q and K. `decimals`, 0 … 9, applies to every number
/// in words. Throws std::out_of_range when there is no such cell.
std::vector<ExplainLine> explain_lines(const Document& document, const attention::Trace& trace,
                                       attention::Stage stage, attention::Index head,
                                       attention::Index row, attention::Index col,
                                       int decimals = 2);

}  // namespace lab::explain
