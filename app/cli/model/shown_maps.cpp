#include "app/cli/model/shown_maps.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/document/model/layer_document.h"
#include "app/translation/words.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Network;
using attention::network::Sublayer;
using figure::ModelMap;
using figure::ModelMaps;
using nlohmann::ordered_json;

// One score of all heads of a stack, [layers × heads]; NaN in layers without attention.
Matrix scores_of(const LabelledHeads& heads, const Network& network, Sublayer sublayer,
                 float attention::network::HeadScores::*score) {
  Matrix values = Matrix::Constant(layer_count(network, sublayer), head_count(network, sublayer),
                                   std::numeric_limits<float>::quiet_NaN());
  for (const LabelledHead& one : heads.heads)
    if (one.at.at.sublayer == sublayer) values(one.at.at.layer, one.at.head) = one.scores.*score;
  return values;
}

void add_label_maps(const LabelledHeads& heads, const Network& network, Sublayer sublayer,
                    const std::string& stack, std::vector<ModelMap>& maps) {
  using attention::network::HeadScores;
  const std::tuple<const char*, const char*, float HeadScores::*> patterns[] = {
      {tr_later("Previous token"), "previous", &HeadScores::previous},
      {tr_later("First token"), "first", &HeadScores::first},
      {tr_later("Duplicate token"), "duplicate", &HeadScores::duplicate},
      {tr_later("Induction"), "induction", &HeadScores::induction}};
  for (const auto& [title, name, score] : patterns) {
    const Matrix values = scores_of(heads, network, sublayer, score);
    const bool encoder = !stack.empty();
    maps.push_back(figure::map_of_heads(tr(title) + (encoder ? " · " + stack : ""),
                                        (encoder ? "encoder_" : "") + std::string(name), values));
    maps.back().is_signed = false;
  }
}

}  // namespace

figure::ModelCaption caption_of(const files::ModelSession& session) {
  return figure::caption_of(session.document);
}

figure::ModelCaption caption_of(const ModelRun& run) { return figure::caption_of(run.document); }

ModelMaps rollout_maps(const ModelRun& run, const AttributionReport& report) {
  ModelMaps maps{caption_of(run), tr("Attention rollout through all layers"), {}, true};
  for (const StackRollout& rollout : report.rollouts) {
    ModelMap map;
    map.title = rollout.name.empty()        ? ""
                : rollout.name == "encoder" ? tr("Encoder")
                                            : tr("Decoder");
    map.name = rollout.name.empty() ? "rollout" : rollout.name + "_rollout";
    map.values = rollout.reach;
    for (const Token& token : model_tokens(*run.model, rollout.ids))
      map.row_labels.push_back(token_label(token));
    map.column_labels = map.row_labels;
    map.row_caption = tr("row##axis"), map.column_caption = tr("token##axis");
    map.is_signed = false;
    map.square = true;
    maps.maps.push_back(std::move(map));
  }
  return maps;
}

ModelMaps label_maps(const files::ModelSession& session, const LabelledHeads& heads) {
  ModelMaps maps{caption_of(session), tr("How much each head attends in known patterns"), {}, true};
  maps.caption.text.clear();  // they are measured on other tokens
  const std::string tokens = tr("on random tokens, repeated");
  maps.caption.edits = maps.caption.edits.empty() ? tokens : tokens + " · " + maps.caption.edits;
  const Network& network = session.model->network;
  add_label_maps(heads, network, Sublayer::kSelf, "", maps.maps);
  if (network.encoder) add_label_maps(heads, network, Sublayer::kEncoder, tr("Encoder"), maps.maps);
  return maps;
}

std::string maps_json(const ModelMaps& maps) {
  ordered_json json = ordered_json::object();
  for (const ModelMap& map : maps.maps) {
    ordered_json rows = ordered_json::array();
    for (Index i = 0; i < map.values.rows(); ++i) {
      ordered_json row = ordered_json::array();
      for (Index j = 0; j < map.values.cols(); ++j) row.push_back(map.values(i, j));
      rows.push_back(std::move(row));
    }
    json[map.name] = std::move(rows);
  }
  return json.dump() + "\n";
}

}  // namespace lab::cli
