#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/explain/explain.h"
#include "core/explain/reason.h"

namespace lab::explain {

/// Words of a line that give a number, and the cell that holds it: "bias 0.50".
struct Mention {
  std::string text;
  attention::CellRef cell;
};

/// One line of the arithmetic of a cell: a name, then numbers, or a calculation and its result.
/// Example: name "weight", before "5.89 ÷ 8.41 =", result "0.70", after "".
struct ExplainLine {
  std::string name{};           ///< "Q[it]", "score"
  std::vector<float> values{};  ///< numbers side by side; empty for a single result
  std::string before{};         ///< words before the result
  std::string result{};         ///< the resulting number; empty when `values` are enough
  std::string after{};          ///< words after the result: "sum of products"
  std::vector<attention::CellRef> cells{};     ///< the cell of each of `values`; empty: none
  std::optional<attention::CellRef> source{};  ///< the cell of `result`, if any
  std::vector<Mention> mentions{};             ///< the parts of `after` that are cells, in order
  int decimals = 2;        ///< of every number of the explanation: see number_in()
  int least_decimals = 2;  ///< of numbers that fewer than `decimals` write exactly; as many as the
                           ///< longest of `values` has, so that a line has one number of decimals
  bool products = false;   ///< `values` are what is added up
  bool rounded = false;    ///< what is shown does not give exactly `result`; `after` says so
};

/// `value` as the numbers of the line are written, such as one of its `values`.
std::string number_in(const ExplainLine& line, float value);

/// How many decimals the numbers of an explanation have.
struct Decimals {
  int least = 2;  ///< 0 … 9
  int most = 6;   ///< as many, up to this, as make the sums and quotients right that are shown
  int exact = 2;  ///< after so many an exact number has no more zeros
};

/// The name of a cell for people: "weights[it, animal]", "output[it, animate]".
std::string cell_title(const Document& document, attention::Stage stage, attention::Index row,
                       attention::Index col);

/// One sentence on what the cell means: How much of “animal” flows into “it” in head 1.
std::string cell_meaning(const Document& document, attention::Stage stage, attention::Index head,
                         attention::Index row, attention::Index col);

/// The arithmetic of a cell from the rows it is computed from to its value. For scores and
/// everything up to the weights it starts from Q and K. A result that the shown numbers do not give
/// exactly is called rounded. Throws std::out_of_range when there is no such cell.
std::vector<ExplainLine> explain_lines(const Document& document, const attention::Trace& trace,
                                       attention::Stage stage, attention::Index head,
                                       attention::Index row, attention::Index col,
                                       Decimals decimals = {});

/// The same lines with the terms of each sum in the order of what they contribute to it, the
/// largest first, whatever its sign.
std::vector<ExplainLine> by_contribution(std::vector<ExplainLine> lines);

/// Why a number is not there, in the language of the process: every reason, joined by "; "; empty
/// when there is none.
std::string reason_words(const std::vector<attention::Reason>& reasons);

}  // namespace lab::explain
