#include "app/cli/model/shown_predictions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/cli/model/shown_maps.h"
#include "app/document/model/layer_document.h"
#include "app/explain/model_edits.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using nlohmann::ordered_json;

// "in" for the embedding, then "L0", "L1", …: after which layer a line of the lens is.
std::string place_of_line(std::size_t line) {
  return line == 0 ? tr("in##before the first layer") : "L" + std::to_string(line - 1);
}

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
  const attention::network::Network& own = run.model->network;
  attention::network::NetworkEvaluator evaluator(model_threads());
  const auto& trace = evaluator.evaluate(own, run.tokens);
  const RowVector logits =
      attention::network::logits(own, trace.stack.final.row(row), evaluator.pool());
  std::vector<float> probabilities;
  probabilities.reserve(top.size());
  for (const Prediction& prediction : top)
    probabilities.push_back(prediction_of(logits, prediction.id).probability);
  return probabilities;
}

}  // namespace

Expected<ShownLens> lens_grid(ModelRun& run) {
  if (!run.network().read_out)
    return fail(ErrorKind::kBadInput, in_quotes(run.model->folder) +
                                          " was saved without a read-out, so it predicts nothing");
  ShownLens lens;
  for (Index row = 0; row < std::ssize(run.tokens.ids); ++row) {
    const Matrix all = logit_lens(run.network(), run.trace(), row, run.evaluator.pool());
    auto& line = lens.rows.emplace_back();
    for (Index i = 0; i < all.rows(); ++i) {
      const RowVector logits = all.row(i);
      if (auto finite = check_finite(run.trace(), row, logits); !finite)
        return tl::make_unexpected(finite.error());
      line.push_back(most_probable(logits, 1).front());
    }
  }
  return lens;
}

figure::ModelMaps lens_maps(const ModelRun& run, const ShownLens& lens) {
  figure::ModelMap map;
  map.name = "probability";
  map.is_signed = false;
  map.row_caption = tr("token##axis"), map.column_caption = tr("after layer##axis");
  const std::size_t columns = lens.rows.front().size();
  map.values = Matrix(std::ssize(lens.rows), static_cast<Index>(columns));
  for (std::size_t i = 0; i < lens.rows.size(); ++i) {
    map.row_labels.push_back(label_of_row(run, static_cast<Index>(i)));
    for (std::size_t j = 0; j < columns; ++j) {
      const Prediction& top = lens.rows[i][j];
      map.values(static_cast<Index>(i), static_cast<Index>(j)) = top.probability;
      map.words.push_back(run.token_label(top.id));
    }
  }
  for (std::size_t j = 0; j < columns; ++j) map.column_labels.push_back(place_of_line(j));
  return {
      caption_of(run), tr("Logit lens: the likeliest token after each layer"), {std::move(map)}};
}

std::string lens_grid_json(const ModelRun& run, const ShownLens& lens) {
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < lens.rows.size(); ++i) {
    ordered_json layers = ordered_json::array();
    for (std::size_t j = 0; j < lens.rows[i].size(); ++j)
      layers.push_back({{"before_layer", j}, {"top", prediction_object(run, lens.rows[i][j])}});
    rows.push_back({{"row", i}, {"layers", std::move(layers)}});
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
    bars.bars.push_back({place_of_line(i),
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
    const auto report = attribution_report(run, AttributionKind::kLens, {{}, {}, row, {}});
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

figure::ModelBars next_bars(const ModelRun& run, const NextTokens& next) {
  const std::string token = label_of_row(run, next.row);
  figure::ModelBars bars{caption_of(run),
                         run.model->causal ? tr("The likeliest tokens after “{}”", {token})
                                           : tr("The likeliest tokens in place of “{}”", {token}),
                         {},
                         {}};
  for (std::size_t i = 0; i < next.top.size(); ++i) {
    figure::ModelBar bar;
    bar.token = run.token_label(next.top[i].id);
    bar.probability = next.top[i].probability;
    if (!next.before.empty()) bar.before = next.before[i];
    bar.accent = i == 0;
    bars.bars.push_back(std::move(bar));
  }
  return bars;
}

std::string next_json(const ModelRun& run, const NextTokens& next) {
  ordered_json top = ordered_json::array();
  for (std::size_t i = 0; i < next.top.size(); ++i) {
    ordered_json entry = prediction_object(run, next.top[i]);
    if (!next.before.empty()) entry["before"] = next.before[i];
    top.push_back(std::move(entry));
  }
  ordered_json places = ordered_json::array();
  places.push_back({{"row", next.row}, {"top", std::move(top)}});
  return ordered_json({{"input_ids", run.tokens.ids}, {"predictions", std::move(places)}}).dump() +
         "\n";
}

}  // namespace lab::cli
