#include <string>

#include "app/document/heads.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_text.h"
#include "app/document/model/text_tokens.h"
#include "app/web/engine/describe.h"
#include "core/network/interventions.h"

namespace lab::web {
namespace {

using attention::Index;
using attention::network::LayerId;
using nlohmann::json;

json layers_json(const attention::network::Network& network) {
  json layers = json::array();
  for (const LayerId& at : all_layer_ids(network))
    layers.push_back({{"name", layer_name(at)},
                      {"sublayer", static_cast<int>(at.sublayer)},
                      {"layer", at.layer},
                      {"heads", head_count(network, at.sublayer)},
                      {"attends", find_attention(network, at) != nullptr}});
  return layers;
}

json gains_json(const attention::network::Interventions& interventions) {
  json gains = json::array();
  for (const attention::network::HeadGain& one : interventions.gains)
    gains.push_back({{"head", model_head_name(one.at, one.head)},
                     {"mute", one.mute},
                     {"solo", one.solo},
                     {"gain", one.gain}});
  return gains;
}

}  // namespace

json describe_model(const ModelDocument& model, const LayerId& shown) {
  const ModelSource& source = *model.source;
  const bool two_stacks = model.network.encoder.has_value();
  json described{{"name", source.name},
                 {"layer", layer_name(shown)},
                 {"layers", layers_json(model.network)},
                 {"causal", source.causal},
                 {"encoder", two_stacks},
                 {"tokenizer", source.tokenizer != nullptr},
                 {"vocabulary", model.network.stack.embedding.tokens.rows()},
                 {"positions", model.network.stack.embedding.most_tokens()},
                 {"predicts", model.network.read_out.has_value()},
                 {"edited", is_edited(model)},
                 {"gains", gains_json(model.interventions)},
                 {"cellEdits", cell_edit_count(model.interventions)},
                 {"text", readable_text(source, model.text)}};
  if (two_stacks) described["decoderText"] = readable_text(source, model.decoder_text);
  return described;
}

}  // namespace lab::web
