#pragma once

#include <string>
#include <vector>

#include "core/explain.h"

namespace lab {

/// One number and how it came about, ready to be written down.
struct CellStory {
  /// The steps that lead to the number, in order; the last is the number's own. A weight has its
  /// score, its scaled score and, with a mask or a bias, its masked score before it.
  std::vector<attention::Explanation> steps;
  std::string row;                       ///< label of the row
  std::string column;                    ///< label of the column
  std::vector<std::string> term_labels;  ///< one for each product of the first step; may be longer
  int d_k = 1;                           ///< these three make the scale factor
  bool scale = true;
  float temperature = 1;

  /// The explanation of the number itself.
  const attention::Explanation& cell() const { return steps.back(); }
};

/// The arithmetic as aligned plain text: a headline, a sentence, and one line a step.
std::string story_text(const CellStory& story);

/// The arithmetic as one JSON object, indented; heads count from 1, positions from 0; NaN and ±∞
/// are the strings "NaN", "Infinity", "-Infinity".
std::string story_json(const CellStory& story);

}  // namespace lab
