#include "app/document/model/layer_document.h"

#include "app/document/model/layer_name.h"
#include "app/document/model/text_tokens.h"
#include "app/tokenizer/piece_label.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;
using attention::network::LayerId;
using attention::network::Sublayer;

// The tokens of both sides; those of the keys only where they are others.
void set_tokens(const ModelSource& model, const attention::network::Tokens& tokens,
                Sublayer sublayer, Document& document) {
  const bool encoder = sublayer == Sublayer::kEncoder;
  document.tokens = model_tokens(model, encoder ? tokens.encoder_ids : tokens.ids);
  document.sentence = joined_text(document.tokens);
  if (sublayer != Sublayer::kCross) return;
  document.kv_tokens = model_tokens(model, tokens.encoder_ids);
  document.kv_sentence = joined_text(document.kv_tokens);
}

// The heads of a layer, whose weights are one below the other.
void add_layer(const LayerId& at, const Matrix& weights,
               const attention::network::Interventions& interventions, Snapshot& all) {
  Document& document = all.document;
  const auto n = static_cast<Index>(document.tokens.size());
  for (Index head = 0; head < weights.rows() / n; ++head) {
    attention::HeadTrace traced;
    traced.weights = traced.dropped_weights = SharedMatrix(Matrix(weights.middleRows(head * n, n)));
    all.trace.heads.push_back(std::move(traced));
    document.head_names.push_back(model_head_name(at, head));
    const float gain = head_gain(interventions, at, head);
    document.problem.head_mix.push_back({gain == 0, false, gain});
  }
}

}  // namespace

std::vector<Token> model_tokens(const ModelSource& model, const std::vector<std::uint32_t>& ids) {
  std::vector<Token> tokens;
  for (const std::uint32_t id : ids) {
    const auto piece = model.tokenizer ? model.tokenizer->token_of(id) : std::nullopt;
    Token token{.text = piece.value_or(std::to_string(id)), .key = std::to_string(id), .id = id};
    if (piece) token.shown = tokenizer::piece_label(*model.tokenizer, *piece);
    tokens.push_back(std::move(token));
  }
  return tokens;
}

std::vector<std::string> input_features(const attention::Problem& layer) {
  std::vector<std::string> names;
  if (!layer.input_parts) return names;
  const auto add = [&](const char* part, Index count) {
    for (Index i = 0; i < count; ++i) names.push_back(part + (" " + std::to_string(i)));
  };
  add(layer.input_parts->compressed_query ? "c_Q" : "x", layer.input_parts->query);
  add("c_KV", layer.input_parts->key_value);
  add("k_R", layer.input_parts->key);
  return names;
}

Document layer_document(const ModelSource& model, const attention::network::Tokens& tokens,
                        const attention::Problem& layer, const LayerId& at) {
  Document document;
  document.title = model.name + ", layer " + layer_name(at);
  set_tokens(model, tokens, at.sublayer, document);
  document.problem = layer;
  if (layer.key_layer) {
    document.kv_tokens = document.tokens;
    document.kv_sentence = document.sentence;
  }
  document.dimensions = input_features(layer);
  for (Index head = 0; head < layer.config.n_heads; ++head)
    document.head_names.push_back(model_head_name(at, head));
  return document;
}

Snapshot all_layers(const ModelSource& model, const attention::network::Tokens& tokens,
                    const attention::network::NetworkTrace& trace,
                    const attention::network::Interventions& interventions, Sublayer sublayer) {
  Snapshot all;
  Document& document = all.document;
  document.title = model.name;
  set_tokens(model, tokens, sublayer, document);
  const auto blank = [](std::size_t rows) {
    return SharedMatrix(Matrix::Zero(static_cast<Index>(rows), 1));
  };
  document.problem.embedding = blank(document.tokens.size());
  if (sublayer == Sublayer::kCross)
    document.problem.embedding_kv = blank(document.kv_tokens.size());
  const Index layers = std::ssize(stack_trace(trace, sublayer).blocks);
  for (Index layer = 0; layer < layers; ++layer)
    add_layer({sublayer, layer}, weights_at(trace, {sublayer, layer}), interventions, all);
  attention::Config& config = document.problem.config;
  config.n_heads = static_cast<int>(all.trace.heads.size());
  config.mask.causal = sublayer == Sublayer::kSelf && model.causal;
  return all;
}

}  // namespace lab
