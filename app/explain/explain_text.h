#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/explain/explain.h"

namespace lab::explain {

/// Words of a line that stand for a number, and the cell that holds it: "bias 0.50".
struct Mention {
  std::string text;
  attention::CellRef cell;
};

/// One line of the arithmetic behind a cell: a name, then numbers, or a calculation and its result.
/// Example: name "weight", before "5.89 ÷ 8.41 =", result "0.70", after "".
struct ExplainLine {
  std::string name;           ///< "Q[it]", "score"
  std::vector<float> values;  ///< numbers side by side; empty for a single result
  std::string before;         ///< what stands before the result
  std::string result;         ///< the number that matters; empty when `values` say it all
  std::string after;          ///< words after the result: "sum of products"
  std::vector<attention::CellRef> cells;     ///< where each of `values` stands; empty: nowhere
  std::optional<attention::CellRef> source;  ///< where `result` stands, if anywhere
  std::vector<Mention> mentions;  ///< the parts of `after`, in order, that stand somewhere
};

/// The cell's name as a person reads it: "weights[it, animal]", "output[it, animate]".
std::string cell_title(const Document& document, attention::Stage stage, attention::Index row,
                       attention::Index col);

/// One sentence on what the cell means: How much of “animal” flows into “it” in head 1.
std::string cell_meaning(const Document& document, attention::Stage stage, attention::Index head,
                         attention::Index row, attention::Index col);

/// The arithmetic of a cell from the rows it is made of to its value. For scores and everything up
/// to the weights it starts from Q and K. `decimals` of every number in words, 0 … 9. Throws
/// std::out_of_range when there is no such cell.
std::vector<ExplainLine> explain_lines(const Document& document, const attention::Trace& trace,
                                       attention::Stage stage, attention::Index head,
                                       attention::Index row, attention::Index col,
                                       int decimals = 2);

}  // namespace lab::explain
