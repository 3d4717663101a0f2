#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/machine_numbers.h"
#include "app/cli/explanation.h"
#include "app/document/commands/command.h"
#include "app/explain/explain_text.h"

namespace lab::cli {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

// The shortest decimal that reads back as the same float: 0.7, not 0.699999988079071.
Json number(float value) {
  if (!std::isfinite(value)) return number(static_cast<double>(value));
  return parse_number<double>(shortest_digits(value)).value();
}

bool has_heads(std::string_view matrix) {
  if (const auto stage = attention::stage_from_name(matrix)) return attention::is_per_head(*stage);
  if (const auto id = matrix_from_name(matrix)) return is_per_head(*id);
  return matrix == "slope" || matrix == "gain" || matrix == "P_K" || matrix == "P_Q";
}

Json operand_json(const attention::Operand& operand) {
  Json json = {{"matrix", std::string(operand.cell.matrix)}};
  if (has_heads(operand.cell.matrix)) json["head"] = operand.cell.head + 1;
  json["row"] = operand.cell.row;
  json["col"] = operand.cell.col;
  json["value"] = number(operand.value);
  return json;
}

Json term_json(const attention::Term& term) {
  Json json = {{"a", operand_json(term.a)}};
  if (term.b) json["b"] = operand_json(*term.b);
  json["product"] = number(term.product);
  json["running_sum"] = number(term.running_sum);
  return json;
}

Json softmax_json(const attention::SoftmaxDetails& softmax) {
  Json exponentials = Json::array();
  for (const double exponential : softmax.exponentials) exponentials.push_back(number(exponential));
  Json json = {{"maximum", number(softmax.maximum)},
               {"exponentials", std::move(exponentials)},
               {"denominator", number(softmax.denominator)}};
  if (!softmax.sink) return json;
  json["sink"] = operand_json(*softmax.sink);
  json["exponential_of_sink"] = number(softmax.of_sink);
  return json;
}

Json layer_norm_json(const attention::LayerNormDetails& details) {
  return {{"mean", number(details.mean)},       {"variance", number(details.variance)},
          {"epsilon", number(details.epsilon)}, {"normalised", number(details.normalised)},
          {"gamma", number(details.gamma)},     {"beta", number(details.beta)}};
}

Json head_norm_json(const attention::HeadNormDetails& details) {
  return {{"mean_square", number(details.mean_square)},
          {"epsilon", number(details.epsilon)},
          {"normalised", number(details.normalised)},
          {"weight", number(details.weight)}};
}

bool has_factor(attention::Stage stage) {
  return stage == attention::Stage::kScaledScores || stage == attention::Stage::kDroppedWeights;
}

Json step_json(const attention::Explanation& step) {
  Json terms = Json::array();
  for (const attention::Term& term : step.terms) terms.push_back(term_json(term));
  Json json = {{"stage", attention::stage_name(step.stage)},
               {"value", number(step.value)},
               {"recomputed", number(step.recomputed)},
               {"terms", std::move(terms)}};
  if (has_factor(step.stage)) json["factor"] = number(step.factor);
  if (step.angle != 0) json["angle"] = number(step.angle);
  if (step.softmax) json["softmax"] = softmax_json(*step.softmax);
  if (step.layer_norm) json["layer_norm"] = layer_norm_json(*step.layer_norm);
  if (step.head_norm) json["head_norm"] = head_norm_json(*step.head_norm);
  if (step.cap > 0) json["cap"] = number(step.cap);
  if (step.distance) json["distance"] = *step.distance;
  if (step.overridden) json["overridden"] = true;
  if (!step.reasons.empty()) json["masked_because"] = explain::reason_words(step.reasons);
  return json;
}

}  // namespace

std::string cell_explanation_json(const CellExplanation& explanation) {
  const attention::Explanation& cell = explanation.steps.back();
  Json json = {{"stage", attention::stage_name(cell.stage)}};
  if (attention::is_per_head(cell.stage)) json["head"] = cell.head + 1;
  json["row"] = {{"position", cell.row}, {"label", explanation.row}};
  json["col"] = {{"position", cell.col}, {"label", explanation.column}};
  json["value"] = number(cell.value);
  json["steps"] = Json::array();
  for (const attention::Explanation& step : explanation.steps)
    json["steps"].push_back(step_json(step));
  return json.dump(2) + "\n";
}

}  // namespace lab::cli
