#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/explain/explain.h"

namespace lab::cli {

/// A number by its place; everything counts from 0.
struct Place {
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index head = 0, row = 0, col = 0;
};

/// One number and how it came about, as data.
struct CellStory {
  /// The steps that lead to the number, in order; the last is the number's own. A weight has its
  /// score, its scaled score and, with a mask or a bias, its masked score before it, a dropped
  /// weight its weight too.
  std::vector<attention::Explanation> steps;
  std::string row;     ///< label of the row
  std::string column;  ///< label of the column
};

/// The arithmetic of the number as one JSON object, indented; heads count from 1, positions from 0;
/// NaN and ±∞ are the strings "NaN", "Infinity", "-Infinity".
std::string story_json(const CellStory& story);

/// The arithmetic as aligned plain text: the number, what it means, and one line for each step.
/// Sums of many products are written as a table, one product a line. Precondition: there is such a
/// place.
std::string arithmetic_text(const Document& document, const attention::Trace& trace,
                            const Place& place);

}  // namespace lab::cli
