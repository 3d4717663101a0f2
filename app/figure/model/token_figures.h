#pragma once

#include <vector>

#include "app/document/analysis/lens_grid.h"
#include "app/figure/model/model_bars.h"
#include "app/figure/model/model_maps.h"

// Figures of the tokens that a model expects.

namespace lab::figure {

/// Tokens × layers: the likeliest token after each layer, its probability as colour.
ModelMaps lens_figure(const ModelDocument& document, const LensGrid& lens);

/// "in" for the embedding, then "L0", "L1", …: after which layer a line of the lens is, from 0.
std::string place_of_line(attention::Index line);

/// The likeliest tokens after, or in place of, that of `row` as bars, the first stands out.
/// `before`: their probabilities in the model without its edits, or empty.
ModelBars next_figure(const ModelDocument& document, attention::Index row,
                      const std::vector<Prediction>& top, const std::vector<float>& before);

}  // namespace lab::figure
