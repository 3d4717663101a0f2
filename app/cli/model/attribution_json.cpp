#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/model/attribution_report.h"
#include "app/document/model/layer_name.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using nlohmann::ordered_json;

ordered_json matrix_json(const Matrix& matrix) {
  ordered_json rows = ordered_json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    ordered_json row = ordered_json::array();
    for (Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json prediction_json(const ModelRun& run, const Prediction& prediction) {
  return {{"token", run.token_text(prediction.id)},
          {"id", prediction.id},
          {"probability", prediction.probability},
          {"logit", prediction.logit}};
}

ordered_json ranked_json(const ModelRun& run, const RankedPrediction& ranked) {
  ordered_json json = prediction_json(run, ranked.prediction);
  json["rank"] = ranked.rank;
  return json;
}

// Adds what an answer is compared with, if it is.
void add_minus(const ModelRun& run, const AskedAnswer& answer, ordered_json& json) {
  if (!answer.minus) return;
  json["minus"] = ranked_json(run, *answer.minus);
  json["difference"] = answer.logit();
}

ordered_json answer_json(const ModelRun& run, const AskedAnswer& answer) {
  ordered_json json = prediction_json(run, answer.token.prediction);
  json["row"] = answer.row;
  json["rank"] = answer.token.rank;
  add_minus(run, answer, json);
  return json;
}

ordered_json lens_json(const ModelRun& run, const std::vector<LensLine>& lens) {
  ordered_json lines = ordered_json::array();
  for (std::size_t i = 0; i < lens.size(); ++i) {
    ordered_json answer = ranked_json(run, lens[i].answer.token);
    add_minus(run, lens[i].answer, answer);
    lines.push_back(
        {{"before_layer", i}, {"top", prediction_json(run, lens[i].top)}, {"answer", answer}});
  }
  return lines;
}

ordered_json direct_json(const attention::network::LogitAttribution& direct) {
  ordered_json json = {{"embedding", direct.embedding},
                       {"heads", matrix_json(direct.heads)},
                       {"mlps", direct.mlps},
                       {"biases", direct.biases},
                       {"logit", direct.logit}};
  if (!direct.convolutions.empty()) json["convolutions"] = direct.convolutions;
  return json;
}

// Adds maps as "knock_out", "cross_knock_out" and "encoder_knock_out".
void add_maps(const std::string& suffix, const std::vector<HeadMap>& maps, ordered_json& json) {
  for (const HeadMap& map : maps) {
    std::string name = sublayer_prefix(map.sublayer) + suffix;
    std::ranges::replace(name, '.', '_');
    json[name] = matrix_json(map.values);
  }
}

}  // namespace

std::string attribution_json(const ModelRun& run, const AttributionReport& report) {
  ordered_json json = ordered_json::object();
  if (report.answer) json["answer"] = answer_json(run, *report.answer);
  if (!report.lens.empty()) json["lens"] = lens_json(run, report.lens);
  if (report.direct) json["direct"] = direct_json(*report.direct);
  if (!report.direct_refused.empty()) json["no_direct"] = report.direct_refused;
  add_maps("knock_out", report.knock_outs, json);
  if (report.patching) {
    json["answer_there"] = answer_json(run, report.patching->there);
    add_maps("patching", report.patching->maps, json);
  }
  for (const StackRollout& rollout : report.rollouts)
    json[rollout.name.empty() ? "rollout" : rollout.name + "_rollout"] = matrix_json(rollout.reach);
  return json.dump() + "\n";
}

}  // namespace lab::cli
