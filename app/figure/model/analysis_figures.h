#pragma once

#include <vector>

#include "app/document/analysis/answer.h"
#include "app/document/analysis/lens_grid.h"
#include "app/document/analysis/model_pass.h"
#include "app/figure/model/model_bars.h"
#include "app/figure/model/model_maps.h"

// Figures of the analysis of a model: of one number for each head, a map for each sublayer,
// muted heads hatched; and of the tokens that it expects.

namespace lab::figure {

/// How the answer's logit changes when each head is muted.
ModelMaps knock_out_figure(const ModelDocument& document, const AskedAnswer& answer,
                           const std::vector<HeadMap>& maps);
/// The same when each head writes what it writes in state A.
ModelMaps patching_figure(const ModelDocument& document, const AskedAnswer& answer,
                          const std::vector<HeadMap>& maps);
/// What each head adds to the answer's logit, [layers × heads] of the stack that is read out.
ModelMaps direct_figure(const ModelDocument& document, const AskedAnswer& answer,
                        const attention::Matrix& heads);
/// The mean entropy of the rows of each head's weights, in nats; see mean_entropies().
ModelMaps entropy_figure(const ModelDocument& document, const std::vector<HeadMap>& maps);

/// Tokens × layers: the likeliest token after each layer, its probability as colour.
ModelMaps lens_figure(const ModelDocument& document, const LensGrid& lens);

/// "in" for the embedding, then "L0", "L1", …: after which layer a line of the lens is, from 0.
std::string lens_line_label(attention::Index line);

/// The likeliest tokens after, or in place of, that of `row` as bars, the first stands out.
/// `before`: their probabilities in the model without its edits, or empty.
ModelBars next_figure(const ModelDocument& document, attention::Index row,
                      const std::vector<Prediction>& top, const std::vector<float>& before);

}  // namespace lab::figure
