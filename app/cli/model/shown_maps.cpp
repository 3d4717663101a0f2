#include "app/cli/model/shown_maps.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/translation/words.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Sublayer;
using figure::ModelMap;
using figure::ModelMaps;
using nlohmann::ordered_json;

// "decoder", "decoder to encoder", "encoder"; one of a single stack needs no title.
std::string title_of_sublayer(const ModelRun& run, Sublayer sublayer) {
  if (!run.network().encoder) return {};
  if (sublayer == Sublayer::kSelf) return tr("Decoder");
  return sublayer == Sublayer::kCross ? tr("Decoder to encoder") : tr("Encoder");
}

// "knock_out", "cross_knock_out", "encoder_knock_out".
std::string name_in(Sublayer sublayer, const std::string& name) {
  std::string full = sublayer_prefix(sublayer) + name;
  std::ranges::replace(full, '.', '_');
  return full;
}

ModelMap head_map(const ModelRun& run, Sublayer sublayer, const std::string& name,
                  const Matrix& values) {
  ModelMap map =
      figure::map_of_heads(title_of_sublayer(run, sublayer), name_in(sublayer, name), values);
  for (Index layer = 0; layer < values.rows(); ++layer)
    for (Index head = 0; head < values.cols(); ++head)
      if (head_gain(run.document.interventions, {sublayer, layer}, head) == 0)
        map.muted.push_back({layer, head});
  return map;
}

std::string answer_label(const ModelRun& run, const AttributionReport& report) {
  return run.token_label(report.answer->token.prediction.id);
}

// One score of all heads of the stack that begins at `first`, [layers × heads].
Matrix scores_of(const LabelledHeads& heads, std::size_t first, Index layers, Index n_heads,
                 float attention::network::HeadScores::*score) {
  Matrix values(layers, n_heads);
  for (Index i = 0; i < values.size(); ++i)
    values(i / n_heads, i % n_heads) =
        heads.heads[first + static_cast<std::size_t>(i)].scores.*score;
  return values;
}

void add_label_maps(const LabelledHeads& heads, std::size_t first, Index layers, Index n_heads,
                    const std::string& stack, std::vector<ModelMap>& maps) {
  using attention::network::HeadScores;
  const std::tuple<const char*, const char*, float HeadScores::*> patterns[] = {
      {tr_later("Previous token"), "previous", &HeadScores::previous},
      {tr_later("First token"), "first", &HeadScores::first},
      {tr_later("Duplicate token"), "duplicate", &HeadScores::duplicate},
      {tr_later("Induction"), "induction", &HeadScores::induction}};
  for (const auto& [title, name, score] : patterns) {
    const Matrix values = scores_of(heads, first, layers, n_heads, score);
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

ModelMaps knock_out_maps(const ModelRun& run, const AttributionReport& report) {
  ModelMaps maps{
      caption_of(run),
      tr("Change of the logit of “{}” when a head is muted", {answer_label(run, report)}),
      {},
      true};
  for (const HeadMap& map : report.knock_outs)
    maps.maps.push_back(head_map(run, map.sublayer, "knock_out", map.values));
  return maps;
}

ModelMaps direct_maps(const ModelRun& run, const AttributionReport& report) {
  return {caption_of(run),
          tr("What each head adds to the logit of “{}”", {answer_label(run, report)}),
          {head_map(run, Sublayer::kSelf, "direct", report.direct->heads)}};
}

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

ModelMaps entropy_maps(const ModelRun& run) {
  ModelMaps maps{caption_of(run), tr("Entropy of the weights of each head, in nats"), {}, true};
  for (const auto& [sublayer, values] : mean_entropies(run.network(), run.trace())) {
    ModelMap map = figure::map_of_heads(title_of_sublayer(run, sublayer),
                                        name_in(sublayer, "entropy"), values);
    const auto keys = static_cast<double>(weights_at(run.trace(), {sublayer, 0}).cols());
    map.is_signed = false;
    map.most = static_cast<float>(std::max(std::log(keys), 1e-6));
    maps.maps.push_back(std::move(map));
  }
  return maps;
}

ModelMaps label_maps(const files::ModelSession& session, const LabelledHeads& heads) {
  ModelMaps maps{caption_of(session), tr("How much each head attends in known patterns"), {}, true};
  maps.caption.text.clear();  // they are measured on other tokens
  const std::string tokens = tr("on random tokens, repeated");
  maps.caption.edits = maps.caption.edits.empty() ? tokens : tokens + " · " + maps.caption.edits;
  const files::Description& model = session.model->description;
  const auto layers = std::ssize(session.model->network.stack.blocks);
  add_label_maps(heads, 0, layers, model.n_heads, "", maps.maps);
  const auto first = static_cast<std::size_t>(layers * model.n_heads);
  if (first < heads.heads.size())
    add_label_maps(heads, first,
                   static_cast<Index>(heads.heads.size() - first) / model.n_encoder_heads,
                   model.n_encoder_heads, tr("Encoder"), maps.maps);
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
