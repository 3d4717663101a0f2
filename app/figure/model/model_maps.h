#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/figure_options.h"
#include "app/figure/model/model_caption.h"
#include "core/matrix.h"

// Heat maps of numbers that are about a whole model: one for each head, or one for each token and
// layer.

namespace lab::figure {

/// A head that is muted: the cell of its number.
struct MutedHead {
  attention::Index layer = 0, head = 0;
};

/// One map. Its numbers are written into the cells where they fit.
struct ModelMap {
  std::string title;         ///< above it; not drawn where it is the only one
  std::string name;          ///< of its numbers in tables: "knock_out"
  attention::Matrix values;  ///< [rows × columns]
  std::vector<std::string> row_labels, column_labels;
  std::string row_caption, column_caption;  ///< what rows and columns are; may be empty
  bool is_signed = true;                    ///< coloured from 0 in both directions, else from 0 up
  float most = 1;                           ///< if not signed: the largest possible number
  bool square = false;                      ///< cells are as high as wide
  std::vector<std::string> tokens{};        ///< in the cells in place of numbers, row by row
  std::vector<MutedHead> muted{};           ///< hatched
};

/// A figure of one or more maps side by side.
struct ModelMaps {
  ModelCaption caption;
  std::string title;
  std::vector<ModelMap> maps;
  bool one_scale = false;  ///< the maps have one range of colours
};

/// A map of one number for each head, [layers × heads]: rows L0, L1, …, columns H0, H1, … Rows that
/// are NaN throughout are of layers without attention, and are called so.
ModelMap map_of_heads(const std::string& title, const std::string& name,
                      const attention::Matrix& values);

/// The width in millimetres, 89 to 183, at which numbers and tokens have room in the cells.
double suitable_width_mm(const ModelMaps& maps);

/// The figure of `maps`, which are not empty. Of the options only those about the look count:
/// colours, range, numbers, size, letters, title.
Figure model_maps_figure(const ModelMaps& maps, const FigureOptions& options);

}  // namespace lab::figure
