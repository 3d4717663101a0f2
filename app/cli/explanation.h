#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/explain/explain.h"

namespace lab::cli {

/// The position of one number; all indices count from 0.
struct CellLocation {
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index head = 0, row = 0, col = 0;
};

/// The derivation of one number, as data.
struct CellExplanation {
  /// The steps that lead to the number, in order, ending with the number itself. A weight is
  /// preceded by its score, its scaled score and, with a mask or a bias, its masked score; a
  /// dropped weight also by its weight.
  std::vector<attention::Explanation> steps;
  std::string row;     ///< label of the row
  std::string column;  ///< label of the column
};

/// The explanation as one indented JSON object. Heads count from 1, positions from 0. NaN and ±∞
/// are written as the strings "NaN", "Infinity" and "-Infinity".
std::string cell_explanation_json(const CellExplanation& explanation);

/// The explanation as aligned plain text: the number, its meaning, and one line per step. Long sums
/// are written as a table with one product per line. Its numbers have at least that many decimals.
/// Precondition: `location` exists in `document`.
std::string arithmetic_text(const Document& document, const attention::Trace& trace,
                            const CellLocation& location, int decimals);

}  // namespace lab::cli
