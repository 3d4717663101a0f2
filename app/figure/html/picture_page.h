#pragma once

#include <string>

#include "app/base/error.h"
#include "app/figure/figure_options.h"
#include "app/figure/figure_writers.h"
#include "app/figure/model/model_figure.h"

namespace lab::figure {

/// A page, without a script, that shows a figure of a model as a picture, light or dark as the
/// reader's system is unless options.dark, and the table of its numbers. Its
/// Content-Security-Policy keeps it from fetching anything. Embeds writing.session. Fails as
/// write_svg does.
Expected<std::string> picture_page(const ModelFigure& figure, const FigureOptions& options,
                                   const WriteOptions& writing);

}  // namespace lab::figure
