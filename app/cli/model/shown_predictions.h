#pragma once

#include "app/cli/model/attribution_report.h"
#include "app/document/analysis/lens_grid.h"
#include "app/figure/model/model_bars.h"

namespace lab::cli {

// Figures of what a model expects, and the same as JSON.

/// The logit lens of every row. Fails with kBadInput when the model has no read-out, and as
/// check_finite() does.
Expected<LensGrid> lens_grid(ModelRun& run);
/// {"lens": [{"row", "layers": [{"before_layer", "top": {…}}]}]}
std::string lens_grid_json(const ModelRun& run, const LensGrid& lens);

/// The lens of one row, layer by layer; the answer stands out.
figure::ModelBars lens_bars(const ModelRun& run, const AttributionReport& report);

/// What the model expects at one position.
struct NextTokens {
  attention::Index row = 0;
  std::vector<Prediction> top;
  std::vector<float>
      before;  ///< their probabilities in the model as it was saved; empty: not edited
};

/// The `top` most probable tokens after `row`, or in its place; without one at the position that
/// predictions() tells of. Fails as attribution_report() does.
Expected<NextTokens> next_tokens(ModelRun& run, const std::optional<std::string>& row, int top);
/// As `predict` writes it, with "before" where the model is edited.
std::string next_json(const ModelRun& run, const NextTokens& next);

}  // namespace lab::cli
