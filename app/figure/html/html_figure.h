#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

/// The element of a page of HTML that holds the figure of kLines or kArithmetic, light and dark, as
/// SVG; nothing for other kinds, which the page's own maps show. Fails and throws as the writing of
/// an SVG does.
Expected<std::string> page_figure(const FigureSource& source);

}  // namespace lab::figure
