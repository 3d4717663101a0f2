#pragma once

#include <string>
#include <vector>

#include "app/explain/explain_text.h"

// Building blocks for the lines of explain_lines.

namespace lab::explain {

using Lines = std::vector<ExplainLine>;

/// Formats the results of an explanation, all with the same number of decimals, without zeros
/// beyond `least` of them where a number needs no more.
struct NumberText {
  int decimals = 2, least = 2;
  std::string operator()(double value) const;
};

/// A line with a name, its number, and words.
ExplainLine result_line(std::string name, std::string result, std::string after = {});

/// A line with a single operand and its place.
ExplainLine operand_line(const attention::Operand& operand, NumberText number,
                         std::string after = {});

/// The line of the cell itself, with its place and with words on how its value came about. For an
/// overridden cell the words say so instead, and what the override replaces.
ExplainLine line_of_cell(const attention::Explanation& cell, std::string name, NumberText number,
                         std::string after);

/// Sets whether the shown terms of `cell` give exactly the result of `line`, which is its own.
void check_sum(ExplainLine& line, const attention::Explanation& cell, NumberText number);

/// True when no result is rounded.
bool are_right(const Lines& lines);

/// Records that `text`, where it occurs in the words of the line, is the number of `cell`.
void mention(ExplainLine& line, std::string text, const attention::CellRef& cell);

/// Adds the row and the column that are multiplied, their products, a bias, and the sum, called
/// `name`.
void add_sum_of_products(Lines& lines, const Document& document, const attention::Explanation& cell,
                         const std::string& name, NumberText number);

/// The lines of a cell of a stage from scores to dropped_weights: each stage adds its line to those
/// before it.
Lines score_chain(const Document& document, const attention::Trace& trace, attention::Stage stage,
                  attention::Index head, attention::Index row, attention::Index col,
                  NumberText number);

// Whether a reader who computes with the numbers on the screen gets the results on the screen.

/// The number that `text` shows, with a decimal point or comma; NaN when it shows none.
double shown_value(const std::string& text);

/// True when `exact`, rounded to as many digits as `result` has, is the number that `result` shows;
/// half a unit more or less is not. True as well when one of them is not a finite number.
bool is_rounding_of(double exact, const std::string& result);

}  // namespace lab::explain
