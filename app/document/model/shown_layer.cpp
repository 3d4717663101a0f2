#include "app/document/model/shown_layer.h"

#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/text_tokens.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab {
namespace {

using attention::Index;
using attention::Problem;
using attention::network::Attention;
using attention::network::LayerId;
using attention::network::Network;
using attention::network::Sublayer;

void set_sentences(const ModelDocument& model, const LayerId& at, Document& document) {
  const Sublayer sublayer = at.sublayer;
  const bool decoder = model.network.encoder && sublayer != Sublayer::kEncoder;
  document.splitting =
      splitting_of(model.source, decoder ? model.decoder_text : model.text, decoder);
  document.tokens = decoder ? decoder_text_tokens(model) : text_tokens(model);
  document.sentence = readable_text(*model.source, decoder ? model.decoder_text : model.text);
  const Attention* const attention = find_attention(model.network, at);
  if (attention != nullptr && attention->key_layer) {
    document.kv_tokens = document.tokens;
    document.kv_sentence = document.sentence;
  }
  if (sublayer != Sublayer::kCross) return;
  document.kv_tokens = text_tokens(model);
  document.kv_sentence = readable_text(*model.source, model.text);
}

// The problem whose weights a layer can share; null when there is none.
const Problem* shared_problem(const Document* shown, const Network& network, const LayerId& at) {
  if (shown == nullptr || !shown->layer.model || shown->layer.at != at) return nullptr;
  const auto same = [&](const LayerId& layer) {
    const Attention* const before = find_attention(shown->layer.model->network, layer);
    const Attention* const now = find_attention(network, layer);
    return before != nullptr && now != nullptr && *before == *now;
  };
  if (!same(at)) return nullptr;
  const auto& key_layer =
      find_attention(network, at)->key_layer;  // has matrices of keys and values
  return !key_layer || same({at.sublayer, *key_layer}) ? &shown->problem : nullptr;
}

}  // namespace

Document shown_layer(std::shared_ptr<const ModelDocument> model, const LayerId& at,
                     const Document* shown) {
  const Problem* const shared = shared_problem(shown, model->network, at);
  Document document;
  document.title = model->source->name;
  set_sentences(*model, at, document);
  const attention::network::ScoreShape shape{std::ssize(document.tokens),
                                             std::ssize(key_tokens(document))};
  document.problem = unread_layer_problem(model->network, model->interventions, at, shape, shared);
  document.dimensions = input_features(document.problem);
  for (Index head = 0; head < document.problem.config.n_heads; ++head)
    document.head_names.push_back(model_head_name(at, head));
  document.layer = {std::move(model), at, true};
  return document;
}

Document completed_layer(const Document& layer, const attention::network::NetworkTrace& trace,
                         attention::ThreadPool& pool) {
  const ModelDocument& model = *layer.layer.model;
  Document completed = layer;
  completed.layer.pending = false;
  completed.problem =
      layer_problem(model.network, trace, model.interventions, layer.layer.at, pool, layer.problem);
  return completed;
}

attention::Matrix head_output(const ModelDocument& model,
                              const attention::network::NetworkTrace& trace, const HeadRef& head) {
  attention::ThreadPool pool(1);
  const Problem problem = layer_problem(model.network, trace, model.interventions, head.at, pool);
  attention::Evaluator evaluator;
  const attention::Trace& stages = evaluator.evaluate(problem);
  return *stage_matrix(problem, stages, attention::Stage::kHeadOutput, head.head);
}

LayerId nearest_layer(const Network& network, const LayerId& at) {
  for (Index layer = at.layer; layer >= 0; --layer)
    if (find_attention(network, {at.sublayer, layer}) != nullptr) return {at.sublayer, layer};
  const std::vector<Index> layers = attending_layers(network, Sublayer::kSelf);
  return layers.empty() ? LayerId() : LayerId{Sublayer::kSelf, layers.front()};
}

}  // namespace lab
