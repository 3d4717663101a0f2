#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as a LaTeX document whose page it is, drawn with TikZ; pdflatex, lualatex and xelatex
/// compile it as it stands. Its text is text, its formulas are formulas. Carries no session. Fails
/// with kBadInput when the page has no size that TeX can have, or the figure so many cells that
/// compiling it would take very long. Throws attention::WorkStopped when options.watch says so.
Expected<std::string> write_latex(const Figure& figure, const WriteOptions& options);

}  // namespace lab::figure
