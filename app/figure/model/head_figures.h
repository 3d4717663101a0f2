#pragma once

#include <vector>

#include "app/document/analysis/answer.h"
#include "app/document/analysis/head_map.h"
#include "app/figure/model/model_maps.h"

// Figures of one number for each head of a model: a map for each sublayer, muted heads hatched.

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

}  // namespace lab::figure
