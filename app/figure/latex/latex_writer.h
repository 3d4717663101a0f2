#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_writers.h"

namespace lab::figure {

/// The figure as a LaTeX document of one page, drawn with TikZ; pdflatex, lualatex and xelatex
/// compile it as it is. Its text is text, its formulas are formulas. Embeds no session. Fails with
/// kBadInput when the page has a size that TeX cannot have, with kUsage when the figure has so many
/// cells that compiling it would take very long, and with kFailed when memory runs out. Throws
/// attention::WorkStopped when options.watch says so.
Expected<std::string> write_latex(const Figure& figure, const WriteOptions& options);

}  // namespace lab::figure
