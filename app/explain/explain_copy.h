#pragma once

#include <string>
#include <vector>

#include "app/explain/explain_text.h"

namespace lab::explain {

/// The explanation of a cell, for copying elsewhere.
struct CopiedExplanation {
  std::string title;    ///< see cell_title
  std::string value;    ///< of the cell
  std::string meaning;  ///< see cell_meaning
  std::vector<ExplainLine> lines;
};

/// As plain text: the cell and its value, what it means, and one text line for each of `lines`.
std::string explanation_text(const CopiedExplanation& explanation);

/// As a LaTeX `aligned` environment for use between \[ and \]; needs amsmath. Labels are not
/// transliterated: letters beyond Latin need XeLaTeX or LuaLaTeX.
std::string explanation_latex(const CopiedExplanation& explanation);

}  // namespace lab::explain
