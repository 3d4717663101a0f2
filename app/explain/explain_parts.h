#pragma once

#include <string>
#include <vector>

#include "app/explain/explain_text.h"

// What the lines of explain_lines are put together from.

namespace lab::explain {

using Lines = std::vector<ExplainLine>;

/// Writes the results of an explanation, all with the same number of decimals.
struct NumberText {
  int decimals = 2;
  std::string operator()(double value) const;
};

/// A line of a name, its number, and words.
ExplainLine result_line(std::string name, std::string result, std::string after = {});

/// A line of an operand alone, which tells where it stands.
ExplainLine operand_line(const attention::Operand& operand, NumberText number,
                         std::string after = {});

/// The line of the cell itself, which tells where it stands, with the words on how it came about.
/// Where the number was put there by hand, these say so instead, and what it replaces.
ExplainLine own_line(const attention::Explanation& cell, std::string name, NumberText number,
                     std::string after);

/// Notes that `text`, where it stands in the words of the line, is the number of `cell`.
void mention(ExplainLine& line, std::string text, const attention::CellRef& cell);

/// The rows and columns that are multiplied, their products, a bias, and the sum, called `name`.
void add_sum_of_products(Lines& lines, const Document& document, const attention::Explanation& cell,
                         const std::string& name, NumberText number);

/// The lines of a cell of scores to dropped_weights: each stage adds its line to those before.
Lines score_chain(const Document& document, const attention::Trace& trace, attention::Stage stage,
                  attention::Index head, attention::Index row, attention::Index col,
                  NumberText number);

}  // namespace lab::explain
