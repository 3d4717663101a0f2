#include "app/figure/model/head_figures.h"

#include <algorithm>
#include <cmath>

#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"
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
std::string in_words(const ModelDocument& document, const AskedAnswer& answer) {
  const auto label = [&](const RankedPrediction& token) {
    return tr("“{}”", {token_label(*document.source, token.prediction.id)});
  };
  return answer.minus ? label(answer.token) + " − " + label(*answer.minus) : label(answer.token);
}

}  // namespace

ModelMaps knock_out_figure(const ModelDocument& document, const AskedAnswer& answer,
                           const std::vector<HeadMap>& maps) {
  return head_maps(
      document, tr("Change of the logit of {} when a head is muted", {in_words(document, answer)}),
      maps, "knock_out");
}

ModelMaps patching_figure(const ModelDocument& document, const AskedAnswer& answer,
                          const std::vector<HeadMap>& maps) {
  return head_maps(
      document,
      tr("Change of the logit of {} when a head is patched from A", {in_words(document, answer)}),
      maps, "patching");
}

ModelMaps direct_figure(const ModelDocument& document, const AskedAnswer& answer,
                        const attention::Matrix& heads) {
  return head_maps(document,
                   tr("What each head adds to the logit of {}", {in_words(document, answer)}),
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

}  // namespace lab::figure
