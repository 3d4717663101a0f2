#pragma once

#include "app/cli/model/attribution_report.h"
#include "app/figure/model/model_maps.h"

namespace lab::cli {

// Maps of what `attribute` reports about a model, for figures.

/// The model, its text and what was done to it.
figure::ModelCaption caption_of(const files::ModelSession& session);
/// The same.
figure::ModelCaption caption_of(const ModelRun& run);

/// How much of each token reaches each row, a map for each stack.
figure::ModelMaps rollout_maps(const ModelRun& run, const AttributionReport& report);
/// How much each head attends in each pattern; of a model with two stacks those of the decoder,
/// then those of the encoder.
figure::ModelMaps label_maps(const files::ModelSession& session, const LabelledHeads& heads);

/// The maps as a JSON object: the numbers of each under its name.
std::string maps_json(const figure::ModelMaps& maps);

}  // namespace lab::cli
