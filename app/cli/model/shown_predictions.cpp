#include "app/cli/model/shown_predictions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/cli/model/shown_maps.h"
#include "app/document/model/layer_document.h"
#include "app/explain/number_text.h"
#include "app/figure/model/analysis_figures.h"
#include "app/translation/words.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using nlohmann::ordered_json;

std::string label_of_row(const ModelRun& run, Index row) {
  return token_label(model_tokens(*run.model, run.tokens.ids)[static_cast<std::size_t>(row)]);
}

ordered_json prediction_object(const ModelRun& run, const Prediction& prediction) {
  return {{"token", run.token_text(prediction.id)},
          {"id", prediction.id},
          {"probability", prediction.probability},
          {"logit", prediction.logit}};
}

// The probabilities of `top` at `row` in the model without its edits.
std::vector<float> unedited_probabilities(const ModelRun& run, Index row,
                                          const std::vector<Prediction>& top) {
  const attention::network::Network& model_network = run.model->network;
  attention::network::NetworkEvaluator evaluator(model_threads());
  const auto& trace = evaluator.evaluate(model_network, run.tokens);
  const RowVector logits =
      attention::network::logits(model_network, trace.stack.final.row(row), evaluator.pool());
  std::vector<float> probabilities;
  probabilities.reserve(top.size());
  for (const Prediction& prediction : top)
    probabilities.push_back(prediction_of(logits, prediction.id).probability);
  return probabilities;
}

}  // namespace

Expected<LensGrid> lens_grid(ModelRun& run) {
  if (!run.network().read_out)
    return fail(ErrorType::kBadInput, in_quotes(run.model->folder) +
                                          " was saved without a read-out, so it predicts nothing");
  LensGrid lens{std::ssize(run.trace().stack.blocks) + 1, run.trace().stack.n(), {}};
  lens.tops.resize(static_cast<std::size_t>(lens.layers * lens.rows));
  for (Index row = 0; row < lens.rows; ++row) {
    const Matrix all = logit_lens(run.network(), run.trace(), row, run.evaluator.pool());
    for (Index layer = 0; layer < lens.layers; ++layer) {
      const RowVector logits = all.row(layer);
      if (auto finite = check_finite(run.trace(), row, logits); !finite)
        return tl::make_unexpected(finite.error());
      lens.tops[static_cast<std::size_t>(layer * lens.rows + row)] = likeliest(logits);
    }
  }
  return lens;
}

std::string lens_grid_json(const ModelRun& run, const LensGrid& lens) {
  ordered_json rows = ordered_json::array();
  for (Index row = 0; row < lens.rows; ++row) {
    ordered_json layers = ordered_json::array();
    for (Index layer = 0; layer < lens.layers; ++layer)
      layers.push_back(
          {{"before_layer", layer}, {"top", prediction_object(run, lens.at(layer, row))}});
    rows.push_back({{"row", row}, {"layers", std::move(layers)}});
  }
  return ordered_json({{"input_ids", run.tokens.ids}, {"lens", std::move(rows)}}).dump() + "\n";
}

figure::ModelBars lens_bars(const ModelRun& run, const AttributionReport& report) {
  figure::ModelBars bars{caption_of(run),
                         tr("Logit lens at “{}”", {label_of_row(run, report.answer->row)}),
                         tr("“{}”", {run.token_label(report.answer->token.prediction.id)}),
                         {}};
  for (std::size_t i = 0; i < report.lens.size(); ++i) {
    const LensLine& line = report.lens[i];
    bars.bars.push_back({figure::lens_line_label(static_cast<Index>(i)),
                         run.token_label(line.top.id),
                         line.top.probability,
                         {},
                         line.top.id == report.answer->token.prediction.id,
                         explain::with_minus_signs(
                             explain::adaptive_text(line.answer.token.prediction.probability, 2))});
  }
  return bars;
}

Expected<NextTokens> next_tokens(ModelRun& run, const std::optional<std::string>& row, int top) {
  NextTokens next;
  if (row) {
    const auto report = attribution_report(run, AttributionType::kLens, {{}, {}, row, {}});
    if (!report) return tl::make_unexpected(report.error());
    next.row = report->answer->row;
    const RowVector logits = attention::network::logits(
        run.network(), run.trace().stack.final.row(next.row), run.evaluator.pool());
    next.top = most_probable(logits, top);
  } else {
    auto all = predictions(run.pass(), top);
    if (!all) return tl::make_unexpected(all.error());
    next.row = all->front().row;
    next.top = std::move(all->front().top);
  }
  if (is_edited(run.document)) next.before = unedited_probabilities(run, next.row, next.top);
  return next;
}

std::string next_json(const ModelRun& run, const NextTokens& next) {
  ordered_json top = ordered_json::array();
  for (std::size_t i = 0; i < next.top.size(); ++i) {
    ordered_json entry = prediction_object(run, next.top[i]);
    if (!next.before.empty()) entry["before"] = next.before[i];
    top.push_back(std::move(entry));
  }
  ordered_json list = ordered_json::array();
  list.push_back({{"row", next.row}, {"top", std::move(top)}});
  return ordered_json({{"input_ids", run.tokens.ids}, {"predictions", std::move(list)}}).dump() +
         "\n";
}

}  // namespace lab::cli
