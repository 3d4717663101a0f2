#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

/// How much larger figures are on a page than on paper, whose text is small beside that of a page.
inline constexpr double kOnScreen = 1.5;

/// The HTML element with the figure of kLines or kArithmetic as SVG, light and dark; empty for
/// other kinds, which the maps of the page show. Fails and throws as write_svg does.
Expected<std::string> page_figure(const FigureSource& source);

}  // namespace lab::figure
