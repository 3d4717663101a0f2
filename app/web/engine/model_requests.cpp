// What a page can ask of a trained model.
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/document/analysis/generation.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"
#include "app/files/document_session.h"
#include "app/files/model/model_list.h"
#include "app/files/opened_model.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"
#include "app/web/engine/model_questions.h"
#include "app/web/engine/requests.h"

namespace lab::web {
namespace {

using attention::Index;
using attention::network::Sublayer;
using nlohmann::json;

std::shared_ptr<const ModelDocument> model_of(Engine& engine) {
  auto model = engine.workspace().document().layer.model;
  if (!model) throw BadInput("what is open is no trained model");
  return model;
}

/// The models that the page carries, with "name".
json list_models(Engine& /*engine*/, const json& /*request*/) {
  json list = json::array();
  for (const files::ModelInfo& model : files::built_in_models())
    list.push_back({{"name", model.name}, {"layers", model.layers}, {"heads", model.heads}});
  return {{"models", std::move(list)}};
}

/// The model "source": a name of the list, or the path of a file or folder that the page was given;
/// on "text", if it is there.
json open_model(Engine& engine, const json& request) {
  std::optional<std::string> text;
  if (request.contains("text")) text = request["text"].get<std::string>();
  files::Opened opened =
      value_or_bad_input(files::open_model_source(request.at("source").get<std::string>(), text));
  engine.open(std::move(opened.document), std::move(opened.view));
  json answer = describe_state(engine.workspace());
  answer["notes"] = opened.notes;
  return answer;
}

/// The file "path" that the page was given: whatever the program opens, also a session of a model,
/// whose model is where "model" says.
json open_file(Engine& engine, const json& request) {
  files::ModelChoice choice;
  choice.folder = request.value("model", "");
  choice.changed = request.value("changed", false);
  files::Opened opened = value_or_bad_input(
      files::open_anything(request.at("path").get<std::string>(), nullptr, choice));
  engine.open(std::move(opened.document), std::move(opened.view));
  json answer = describe_state(engine.workspace());
  answer["notes"] = opened.notes;
  if (engine.view()) answer["view"] = describe_view(*engine.view());
  return answer;
}

/// Shows the layer "name": "0", "cross.1", "encoder.2".
json show_layer(Engine& engine, const json& request) {
  const auto at = layer_from_name(request.at("name").get<std::string>());
  if (!at) throw BadInput("there is no such layer");
  model_of(engine);
  engine.workspace().queue(intent::GoToLayer{*at});
  return drained(engine);
}

json token_json(const ModelSource& source, std::uint32_t id) {
  return {{"id", id}, {"text", token_label(source, id)}};
}

json prediction_json(const ModelSource& source, const Prediction& prediction) {
  json token = token_json(source, prediction.id);
  token["probability"] = prediction.probability;
  token["logit"] = prediction.logit;
  return token;
}

json predictions_json(const ModelSource& source, const std::vector<Prediction>& list) {
  json all = json::array();
  for (const Prediction& prediction : list) all.push_back(prediction_json(source, prediction));
  return all;
}

json answer_json(const ModelSource& source, const AskedAnswer& answer) {
  json asked{{"row", answer.row},
             {"logit", answer.logit()},
             {"token", prediction_json(source, answer.token.prediction)},
             {"rank", answer.token.rank}};
  if (answer.minus) asked["minus"] = prediction_json(source, answer.minus->prediction);
  return asked;
}

json rows_json(const attention::Matrix& values) {
  json rows = json::array();
  for (Index i = 0; i < values.rows(); ++i) {
    json row = json::array();
    for (Index j = 0; j < values.cols(); ++j) row.push_back(values(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

json maps_json(const std::vector<HeadMap>& maps) {
  json all = json::array();
  for (const HeadMap& map : maps)
    all.push_back({{"prefix", sublayer_prefix(map.sublayer)}, {"values", rows_json(map.values)}});
  return all;
}

json value_json(const ModelSource& source, const AskedAnswer& answer) {
  return answer_json(source, answer);
}
json value_json(const ModelSource& source, const RowPredictions& predictions) {
  return {{"row", predictions.row},
          {"top", predictions_json(source, predictions.top)},
          {"topProbability", predictions.top_probability},
          {"pinned", predictions_json(source, predictions.pinned)}};
}
json value_json(const ModelSource& source, const RowLens& lens) {
  json lines = json::array();
  for (const LensLine& line : lens.lines)
    lines.push_back(
        {{"top", prediction_json(source, line.top)}, {"answer", answer_json(source, line.answer)}});
  return {{"row", lens.row}, {"lines", std::move(lines)}};
}
json value_json(const ModelSource& source, const std::vector<PredictionsAt>& masked) {
  json all = json::array();
  for (const PredictionsAt& at : masked)
    all.push_back({{"row", at.row}, {"top", predictions_json(source, at.top)}});
  return all;
}
json value_json(const ModelSource& /*source*/, const std::vector<HeadMap>& maps) {
  return maps_json(maps);
}
json value_json(const ModelSource& source, const AnswerAttribution& direct) {
  return {{"answer", answer_json(source, direct.answer)},
          {"embedding", direct.parts.embedding},
          {"heads", rows_json(direct.parts.heads)},
          {"convolutions", direct.parts.convolutions},
          {"mlps", direct.parts.mlps},
          {"biases", direct.parts.biases},
          {"logit", direct.parts.logit}};
}
json value_json(const ModelSource& /*source*/, const LabelledHeads& labels) {
  json all = json::array();
  for (const LabelledHead& head : labels.heads)
    all.push_back({{"head", model_head_name(head.at.at, head.at.head)},
                   {"label", label_of(head.scores)},
                   {"previous", head.scores.previous},
                   {"first", head.scores.first},
                   {"duplicate", head.scores.duplicate},
                   {"induction", head.scores.induction}});
  return all;
}
json value_json(const ModelSource& source, const AnswerMaps& maps) {
  return {{"answer", answer_json(source, maps.answer)}, {"maps", maps_json(maps.maps)}};
}
json value_json(const ModelSource& source, const LensGrid& grid) {
  json layers = json::array();
  for (Index layer = 0; layer < grid.known_layers(); ++layer) {
    json row = json::array();
    for (Index i = 0; i < grid.rows; ++i) row.push_back(prediction_json(source, grid.at(layer, i)));
    layers.push_back(std::move(row));
  }
  return {{"layers", grid.layers}, {"rows", grid.rows}, {"tops", std::move(layers)}};
}
json value_json(const ModelSource& /*source*/, const ModelGradient& gradient) {
  json tokens = json::array(), numbers = json::array();
  for (const TokenGradient& token : gradient.tokens)
    tokens.push_back({{"encoder", token.of_encoder},
                      {"row", token.row},
                      {"size", token.size},
                      {"timesInput", token.times_input}});
  for (const WeightSensitivity& one : gradient.numbers)
    numbers.push_back({{"layer", layer_name(one.at)},
                       {"matrix", attention::matrix_name(one.number.matrix)},
                       {"head", one.number.head},
                       {"row", one.number.row},
                       {"col", one.number.col},
                       {"derivative", one.number.derivative}});
  return {{"heads", maps_json(gradient.heads)},
          {"tokens", std::move(tokens)},
          {"numbers", std::move(numbers)}};
}

template <typename Value>
json entry_json(const ModelSource& source, const AnalysisEntry<Value>& entry) {
  json shown{{"progress", entry.progress}};
  if (!entry.error.empty()) shown["error"] = tr(entry.error);
  if (entry.value) shown["value"] = value_json(source, *entry.value);
  return shown;
}

json result_json(const ModelSource& source, const AnalysisResult& result) {
  json answer{{"busy", result.busy}};
  const auto add = [&](const char* name, const auto& entry) {
    if (entry.current) answer[name] = entry_json(source, entry);
  };
  add("answer", result.answer);
  add("predictions", result.predictions);
  add("lens", result.lens);
  add("masked", result.masked);
  add("entropies", result.entropies);
  add("direct", result.direct);
  add("labels", result.labels);
  add("knockOut", result.knock_out);
  add("lensOfAllRows", result.lens_of_all_rows);
  add("gradient", result.gradient);
  return answer;
}

// A part of an AnalysisRequest, by its name in requests of the page.
struct Wish {
  const char* name;
  bool AnalysisRequest::*member;
};
constexpr std::array kWishes = std::to_array<Wish>({
    {"predictions", &AnalysisRequest::predictions},
    {"lens", &AnalysisRequest::lens},
    {"masked", &AnalysisRequest::masked},
    {"entropies", &AnalysisRequest::entropies},
    {"direct", &AnalysisRequest::direct},
    {"labels", &AnalysisRequest::labels},
    {"knockOut", &AnalysisRequest::knock_out},
    {"lensOfAllRows", &AnalysisRequest::lens_of_all_rows},
});

AnalysisRequest analysis_request(const Document& document, const json& request) {
  AnalysisRequest asked;
  if (request.contains("row")) asked.row = request["row"].get<Index>();
  if (request.contains("token") && asked.row) {
    asked.answer = attention::network::Answer{*asked.row, request["token"].get<std::uint32_t>()};
    if (request.contains("minus")) asked.answer->minus = request["minus"].get<std::uint32_t>();
  }
  asked.pinned = request.value("pinned", std::vector<std::uint32_t>());
  for (const std::string& name : request.at("want").get<std::vector<std::string>>()) {
    bool known = name == "gradient";
    if (known) asked.gradient = GradientRequest{document.layer.at};
    for (const Wish& wish : kWishes)
      if (name == wish.name) asked.*wish.member = known = true;
    if (!known) throw BadInput("a model cannot be asked for " + in_quotes(name));
  }
  return asked;
}

/// What the model says about its text, of "want": "predictions", "lens", "masked", "entropies",
/// "direct", "labels", "knockOut", "lensOfAllRows", "gradient"; after "row" (the first that
/// predicts), about "token", by its id, and less "minus" (the likeliest). Computes for "slice"
/// milliseconds (30); while "busy", the same request goes on.
json ask_model(Engine& engine, const json& request) {
  const auto model = model_of(engine);
  const std::chrono::milliseconds slice(request.value("slice", 30));
  const AnalysedModel analysed{model, engine.workspace().network_trace()};
  const auto result = engine.model_questions().ask(
      analysed, analysis_request(engine.workspace().document(), request), slice);
  return result_json(*model->source, *result);
}

/// "tokens" (1) that go on with the text, chosen with "temperature", "topK", "topP" and "seed".
json go_on(Engine& engine, const json& request) {
  const auto model = model_of(engine);
  Generation generation;
  generation.tokens = request.value("tokens", 1);
  generation.sampling = {request.value("temperature", 0.0), request.value("topK", 0),
                         request.value("topP", 1.0)};
  generation.seed = request.value("seed", std::uint64_t{0});
  if (const auto fine = check(generation.sampling); !fine) throw BadInput(fine.error().message);
  const auto added =
      value_or_bad_input(generate(*model, engine.model_questions().continuation(), generation));
  std::vector<std::uint32_t> ids;
  for (const Prediction& prediction : added) ids.push_back(prediction.id);
  json answer{{"tokens", predictions_json(*model->source, added)}};
  const bool of_decoder = model->network.encoder.has_value();
  const ModelText& text = of_decoder ? model->decoder_text : model->text;
  if (const auto& tokenizer = model->source->tokenizer_of(of_decoder))
    answer["text"] = value_or_bad_input(tokenizer->decode_added(text.ids, ids, false));
  return answer;
}

constexpr std::array kModelRequests = std::to_array<Request>({
    {"models", list_models},
    {"open_model", open_model},
    {"open_file", open_file},
    {"layer", show_layer},
    {"ask", ask_model},
    {"go_on", go_on},
});

}  // namespace

std::span<const Request> model_requests() { return kModelRequests; }

}  // namespace lab::web
