#include "app/figure/model/analysis_figures.h"

#include <algorithm>
#include <cmath>

#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Index;
using attention::network::Sublayer;

// "decoder", "decoder to encoder", "encoder"; one of a single stack needs no title.
std::string title_of_sublayer(const ModelDocument& document, Sublayer sublayer) {
  if (!document.network.encoder) return {};
  if (sublayer == Sublayer::kSelf) return tr("Decoder");
  return sublayer == Sublayer::kCross ? tr("Decoder to encoder") : tr("Encoder");
}

// "knock_out", "cross_knock_out", "encoder_knock_out".
std::string name_in(Sublayer sublayer, const std::string& name) {
  std::string full = sublayer_prefix(sublayer) + name;
  std::ranges::replace(full, '.', '_');
  return full;
}

ModelMap head_map(const ModelDocument& document, const HeadMap& numbers, const std::string& name) {
  const auto& [sublayer, values] = numbers;
  ModelMap map =
      map_of_heads(title_of_sublayer(document, sublayer), name_in(sublayer, name), values);
  for (Index layer = 0; layer < values.rows(); ++layer)
    for (Index head = 0; head < values.cols(); ++head)
      if (head_gain(document.interventions, {sublayer, layer}, head) == 0)
        map.muted.push_back({layer, head});
  return map;
}

ModelMaps head_maps(const ModelDocument& document, const std::string& title,
                    const std::vector<HeadMap>& maps, const std::string& name) {
  ModelMaps figure{caption_of(document), title, {}, true};
  figure.maps.reserve(maps.size());
  for (const HeadMap& map : maps) figure.maps.push_back(head_map(document, map, name));
  return figure;
}

// “her”, or “her” − “his”.
std::string answer_text(const ModelDocument& document, const AskedAnswer& answer) {
  const auto label = [&](const RankedPrediction& token) {
    return tr("“{}”", {token_label(*document.source, token.prediction.id)});
  };
  return answer.minus ? label(answer.token) + " − " + label(*answer.minus) : label(answer.token);
}

std::string label_of_row(const ModelDocument& document, Index row) {
  const std::vector<Token> tokens = model_tokens(*document.source, tokens_of(document).ids);
  return token_label(tokens[static_cast<std::size_t>(row)]);
}

std::string title_of_next(const ModelDocument& document, const std::string& token) {
  if (answers_each_token(document)) return tr("The likeliest answers at “{}”", {token});
  return document.source->causal ? tr("The likeliest tokens after “{}”", {token})
                                 : tr("The likeliest tokens in place of “{}”", {token});
}

}  // namespace

ModelMaps knock_out_figure(const ModelDocument& document, const AskedAnswer& answer,
                           const std::vector<HeadMap>& maps) {
  return head_maps(
      document,
      tr("Change of the logit of {} when a head is muted", {answer_text(document, answer)}), maps,
      "knock_out");
}

ModelMaps patching_figure(const ModelDocument& document, const AskedAnswer& answer,
                          const std::vector<HeadMap>& maps) {
  return head_maps(document,
                   tr("Change of the logit of {} when a head is patched from A",
                      {answer_text(document, answer)}),
                   maps, "patching");
}

ModelMaps direct_figure(const ModelDocument& document, const AskedAnswer& answer,
                        const attention::Matrix& heads) {
  return head_maps(document,
                   tr("What each head adds to the logit of {}", {answer_text(document, answer)}),
                   {{Sublayer::kSelf, heads}}, "direct");
}

ModelMaps entropy_figure(const ModelDocument& document, const std::vector<HeadMap>& maps) {
  ModelMaps figure =
      head_maps(document, tr("Entropy of the weights of each head, in nats"), maps, "entropy");
  const attention::network::Tokens tokens = tokens_of(document);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const auto [queries, keys] =
        score_shape(maps[i].sublayer, std::ssize(tokens.ids), std::ssize(tokens.encoder_ids));
    figure.maps[i].is_signed = false;
    figure.maps[i].most = std::max(std::log(static_cast<float>(keys)), 1e-6f);
  }
  return figure;
}

std::string lens_line_label(Index line) {
  return line == 0 ? tr("in##before the first layer") : "L" + std::to_string(line - 1);
}

ModelMaps lens_figure(const ModelDocument& document, const LensGrid& lens) {
  ModelMap map;
  map.name = "probability";
  map.is_signed = false;
  map.row_caption = tr("token##axis"), map.column_caption = tr("after layer##axis");
  map.values = attention::Matrix(lens.rows, lens.layers);
  for (Index row = 0; row < lens.rows; ++row) {
    map.row_labels.push_back(label_of_row(document, row));
    for (Index layer = 0; layer < lens.layers; ++layer) {
      const Prediction& top = lens.at(layer, row);
      map.values(row, layer) = top.probability;
      map.tokens.push_back(token_label(*document.source, top.id));
    }
  }
  for (Index layer = 0; layer < lens.layers; ++layer)
    map.column_labels.push_back(lens_line_label(layer));
  return {caption_of(document),
          tr("Logit lens: the likeliest token after each layer"),
          {std::move(map)}};
}

ModelBars next_figure(const ModelDocument& document, Index row, const std::vector<Prediction>& top,
                      const std::vector<float>& before) {
  const std::string token = label_of_row(document, row);
  ModelBars bars{caption_of(document), title_of_next(document, token), {}, {}};
  for (std::size_t i = 0; i < top.size(); ++i) {
    ModelBar bar;
    bar.token = token_label(*document.source, top[i].id);
    bar.probability = top[i].probability;
    if (!before.empty()) bar.before = before[i];
    bar.accent = i == 0;
    bars.bars.push_back(std::move(bar));
  }
  return bars;
}

}  // namespace lab::figure
