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

ordered_json answer_json(const ModelRun& run, const AskedAnswer& answer) {
  ordered_json json = prediction_json(run, answer.token);
  json["row"] = answer.row;
  json["rank"] = answer.rank;
  return json;
}

ordered_json lens_json(const ModelRun& run, const std::vector<LensLine>& lens) {
  ordered_json lines = ordered_json::array();
  for (std::size_t i = 0; i < lens.size(); ++i) {
    ordered_json answer = prediction_json(run, lens[i].answer);
    answer["rank"] = lens[i].answer_rank;
    lines.push_back(
        {{"before_layer", i}, {"top", prediction_json(run, lens[i].top)}, {"answer", answer}});
  }
  return lines;
}

ordered_json direct_json(const attention::network::LogitAttribution& direct) {
  return {{"embedding", direct.embedding},
          {"heads", matrix_json(direct.heads)},
          {"mlps", direct.mlps},
          {"biases", direct.biases},
          {"logit", direct.logit}};
}

// "knock_out", "cross_knock_out" or "encoder_knock_out".
std::string knock_out_name(attention::network::Sublayer sublayer) {
  std::string name = sublayer_prefix(sublayer) + "knock_out";
  std::ranges::replace(name, '.', '_');
  return name;
}

}  // namespace

std::string attribution_json(const ModelRun& run, const AttributionReport& report) {
  ordered_json json = ordered_json::object();
  if (report.answer) json["answer"] = answer_json(run, *report.answer);
  if (!report.lens.empty()) json["lens"] = lens_json(run, report.lens);
  if (report.direct) json["direct"] = direct_json(*report.direct);
  if (!report.direct_refused.empty()) json["no_direct"] = report.direct_refused;
  for (const KnockOutMap& map : report.knock_outs)
    json[knock_out_name(map.sublayer)] = matrix_json(map.change);
  for (const StackRollout& rollout : report.rollouts)
    json[rollout.name.empty() ? "rollout" : rollout.name + "_rollout"] = matrix_json(rollout.reach);
  return json.dump() + "\n";
}

}  // namespace lab::cli
