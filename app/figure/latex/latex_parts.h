#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/text/text_runs.h"

// The sections of a LaTeX file.

namespace lab::figure {

/// `text` escaped for LaTeX: no character has a special meaning, and no ligatures form. Letters
/// beyond ASCII stay as they are, see latex_letters.
std::string latex_text(std::string_view text);

/// The runs of a formula in math mode: single letters are variables, longer words are upright,
/// raised and lowered runs are superscripts and subscripts.
std::string latex_formula(const std::vector<TextRun>& runs);

/// The content of the TikZ node of a text: serif text as a formula, other text as text.
std::string latex_content(const shape::Text& text);

/// The math command for a symbol beyond ASCII, such as \infty; empty when there is none.
std::string_view math_command(char32_t sign);

/// A line \letter{number}{letter}{fallback} for every letter beyond ASCII in `latex`, where the
/// fallback is for fonts without it, or \sign{…} where formulas have a command for it.
std::string latex_letters(std::string_view latex);

/// A line \fontfor{script}{font} for every script that `latex` uses.
std::string latex_script_fonts(std::string_view latex);

/// The colours of a file, which are declared before use.
class LatexColours {
 public:
  /// The name of a colour, "c1b2430"; the colour will be declared.
  std::string name(Rgb colour);
  /// A declaration line for each named colour.
  std::string declarations() const;

 private:
  std::set<std::string> names_;
};

/// " (x,y)".
std::string latex_point(double x, double y);

/// " (x,y)rectangle(x,y)"; rectangles that touch before rounding also touch after it.
std::string latex_box(double x, double y, double width, double height);

/// The cells of a map as filled rectangles.
std::string latex_map(const shape::HeatMap& map, LatexColours& colours);

/// A colour bar as thin rectangles.
std::string latex_bar(const shape::ColourBar& bar, LatexColours& colours);

/// Everything before the letters and colours of a figure, whose fonts are `families`.
std::string latex_preamble(std::string_view families);

}  // namespace lab::figure
