#pragma once

#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"

namespace lab::figure {

/// The weights of all heads of a model, see all_layers() of layer_document.h: a small map for each
/// on one scale, the layers from the first at the top, their heads side by side. Muted heads are
/// hatched. Tokens are written where every one of them has room. Precondition: the heads are named
/// as by model_head_name(), options.grid_columns of them for each layer.
Sheet layer_grid(const FigureSource& source, double width, double font);

/// The options that arrange all_layers() in such a grid, on a page that is wide enough unless
/// another width was chosen, with `caption` below the title.
FigureOptions with_layers(const Document& all, const std::string& caption, FigureOptions options);

}  // namespace lab::figure
