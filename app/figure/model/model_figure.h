#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "app/base/error.h"
#include "app/figure/figure_options.h"
#include "app/figure/figure_writers.h"
#include "app/figure/model/model_bars.h"
#include "app/figure/model/model_curves.h"
#include "app/figure/model/model_maps.h"

namespace lab::figure {

/// A figure of a whole model.
using ModelFigure = std::variant<ModelMaps, ModelBars, ModelCurves>;

/// Its title.
const std::string& title_of(const ModelFigure& figure);

/// The shapes, see model_maps_figure() and model_bars_figure().
Figure model_figure(const ModelFigure& figure, const FigureOptions& options);

/// Its numbers: of maps one line per cell, with row, row_label, column and column_label before
/// them, of bars one per bar, of curves one per step and curve.
struct ModelTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
/// The numbers, written so that they read back bit for bit; only the first `most_rows` lines.
ModelTable table_of(const ModelFigure& figure,
                    std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// The file in that format; a page, .html, shows the figure in both themes and the table of its
/// numbers, and loads nothing. Fails as FigureFormat::write does.
Expected<std::string> model_figure_file(const ModelFigure& figure, const FigureOptions& options,
                                        const FigureFormat& format, const WriteOptions& writing);

/// A page, without a script, that shows a figure of a model as a picture, light or dark as the
/// reader's system is unless options.dark, and the table of its numbers. Its
/// Content-Security-Policy keeps it from fetching anything. Embeds writing.session. Fails as
/// write_svg does.
Expected<std::string> picture_page(const ModelFigure& figure, const FigureOptions& options,
                                   const WriteOptions& writing);

}  // namespace lab::figure
