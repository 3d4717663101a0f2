#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// BERT and the encoders that are built like it.

namespace lab::files {

using attention::Index;
using attention::network::Activation;

namespace {

constexpr ModelNames kBertNames = {
    .prefixes = {"bert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .types = "embeddings.token_type_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "encoder.layer.{}.",
              .attention = {.query = "attention.self.query",
                            .key = "attention.self.key",
                            .value = "attention.self.value",
                            .output = "attention.output.dense",
                            .norms = {.after = "attention.output.LayerNorm"}},
              .up = "intermediate.dense",
              .down = "output.dense",
              .mlp_norms = {.after = "output.LayerNorm"}},
    .read_out = {.transform = "cls.predictions.transform.dense",
                 .norm = "cls.predictions.transform.LayerNorm",
                 .tokens = "cls.predictions.decoder",
                 .bias = "cls.predictions.decoder.bias"},
    .ties = {{{"cls.predictions.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"cls.predictions.decoder.bias", "cls.predictions.bias"}}},
};

constexpr ModelNames kRobertaNames = {
    .prefixes = {"roberta.", ""},
    .stack = kBertNames.stack,
    .read_out = {.transform = "lm_head.dense",
                 .norm = "lm_head.layer_norm",
                 .tokens = "lm_head.decoder",
                 .bias = "lm_head.decoder.bias"},
    .ties = {{{"lm_head.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"lm_head.decoder.bias", "lm_head.bias"}}},
};

constexpr StackNames with_projection(StackNames stack, const char* rotary_table = nullptr) {
  stack.embedding_projection = "embeddings_project";
  stack.rotary_table = rotary_table;
  return stack;
}

constexpr ModelNames kElectraNames = {
    .prefixes = {"electra.", ""},
    .stack = with_projection(kBertNames.stack),
    .read_out = {.transform = "generator_predictions.dense",
                 .norm = "generator_predictions.LayerNorm",
                 .tokens = "generator_lm_head",
                 .bias = "generator_lm_head.bias"},
    .ties = {{{"generator_lm_head.weight", "*embeddings.word_embeddings.weight"}}},
};

constexpr ModelNames kRoformerNames = {
    .prefixes = {"roformer.", ""},
    .stack = with_projection(kBertNames.stack, "encoder.embed_positions"),
    .read_out = kBertNames.read_out,
    .ties = kBertNames.ties,
};

constexpr ModelNames kAlbertNames = {
    .prefixes = {"albert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .types = "embeddings.token_type_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .embedding_projection = "encoder.embedding_hidden_mapping_in",
              .layer = "encoder.albert_layer_groups.{}.",
              .attention = {.query = "attention.query",
                            .key = "attention.key",
                            .value = "attention.value",
                            .output = "attention.dense",
                            .norms = {.after = "attention.LayerNorm"}},
              .up = "ffn",
              .down = "ffn_output",
              .mlp_norms = {.after = "full_layer_layer_norm"}},
    .read_out = {.transform = "predictions.dense",
                 .norm = "predictions.LayerNorm",
                 .tokens = "predictions.decoder",
                 .bias = "predictions.decoder.bias"},
    .ties = {{{"predictions.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"predictions.decoder.bias", "predictions.bias"}}},
};

constexpr ModelNames kMpnetNames = {
    .prefixes = {"mpnet.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "encoder.layer.{}.",
              .attention = {.query = "attention.attn.q",
                            .key = "attention.attn.k",
                            .value = "attention.attn.v",
                            .output = "attention.attn.o",
                            .distance_bias = "*encoder.relative_attention_bias",
                            .norms = {.after = "attention.LayerNorm"}},
              .up = "intermediate.dense",
              .down = "output.dense",
              .mlp_norms = {.after = "output.LayerNorm"}},
    .read_out = kRobertaNames.read_out,
    .ties = kRobertaNames.ties,
};

constexpr ModelNames kDistilBertNames = {
    .prefixes = {"distilbert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "transformer.layer.{}.",
              .attention = {.query = "attention.q_lin",
                            .key = "attention.k_lin",
                            .value = "attention.v_lin",
                            .output = "attention.out_lin",
                            .norms = {.after = "sa_layer_norm"}},
              .up = "ffn.lin1",
              .down = "ffn.lin2",
              .mlp_norms = {.after = "output_layer_norm"}},
    .read_out = {.transform = "vocab_transform",
                 .norm = "vocab_layer_norm",
                 .tokens = "vocab_projector",
                 .bias = "vocab_projector.bias"},
    .ties = {{{"vocab_projector.weight", "*embeddings.word_embeddings.weight"}}},
};

// An encoder: norms after each sublayer, learned positions, token types.
void describe_bert(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 30522);
  d.d_model = config.size_or("hidden_size", 768);
  d.n_layers = config.size_or("num_hidden_layers", 12, kMostLayers);
  set_heads(config, "num_attention_heads", 12, d);
  if (!config.has("embedding_size")) check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.token_types = config.size_or("type_vocab_size", 2);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-12);
  d.activation = d.read_out_activation = read_activation(config, "hidden_act", "gelu");
  d.causal = config.flag_or("is_decoder", false);
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

// BERT with positions that begin after that of the padding.
void describe_roberta(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 50265);
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  d.position_offset = config.count_or("pad_token_id", 1) + 1;
  d.padding = static_cast<std::uint32_t>(d.position_offset - 1);
  if (d.max_positions <= d.position_offset)
    config.refuse("max_position_embeddings", "leaves no position after the padding");
  d.max_positions -= d.position_offset;
}

// RoBERTa with another default vocabulary.
void describe_xlm_roberta(const ConfigReader& config, Description& d) {
  describe_roberta(config, d);
  d.vocabulary = config.size_or("vocab_size", 30522);
}

// BERT's blocks without token types, under other names.
void describe_distilbert(const ConfigReader& config, Description& d) {
  d.vocabulary = config.size_or("vocab_size", 30522);
  d.d_model = config.size_or("dim", 768);
  d.n_layers = config.size_or("n_layers", 6, kMostLayers);
  set_heads(config, "n_heads", 12, d);
  check_whole_heads(config, "n_heads", d);
  d.d_mlp = config.size_or("hidden_dim", 3072);
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.norm_epsilon = 1e-12f;
  d.activation = d.read_out_activation = read_activation(config, "activation", "gelu");
  d.causal = false;
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  set_layers(d);
}

// Embeddings that are narrower than the stream, and projected after their norm.
void read_embedding_size(const ConfigReader& config, Index default_value, Description& d) {
  d.d_embedding = config.size_or("embedding_size", default_value);
  d.projected_last = d.biases.embedding_projection = true;
}

// BERT whose embeddings may be narrower than its stream.
void describe_electra(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.d_model = config.size_or("hidden_size", 256);
  set_heads(config, "num_attention_heads", 4, d);
  d.d_mlp = config.size_or("intermediate_size", 1024);
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  read_embedding_size(config, 128, d);
  set_layers(d);
}

// BERT with rotary positions of adjacent pairs.
void describe_roformer(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 50000);
  d.max_positions = d.longest_text = config.size_or("max_position_embeddings", 1536);
  if (config.flag_or("rotary_value", false))
    config.refuse("rotary_value", "only false is supported");
  read_embedding_size(config, d.d_model, d);
  if (config.says_null("embedding_size")) d.d_embedding = d.d_model;
  check_rotated_heads(config, d);
  if (d.head_dim % 2 != 0)
    config.refuse("num_attention_heads", "heads of " + std::to_string(d.head_dim) +
                                             " features cannot be rotated in pairs");
  d.positions = PositionType::kRotary;
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  for (LayerDescription& layer : d.layers) layer.frequencies = rotary_frequencies({}, d.head_dim);
}

// BERT whose layers share their weights, in groups, and whose embeddings are narrower.
void describe_albert(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 30000);
  d.d_model = config.size_or("hidden_size", 4096);
  set_heads(config, "num_attention_heads", 64, d);
  d.d_mlp = config.size_or("intermediate_size", 16384);
  d.activation = d.read_out_activation = read_activation(config, "hidden_act", "gelu_new");
  d.causal = false;
  d.always_projected = true;
  read_embedding_size(config, 128, d);
  const Index groups = config.size_or("num_hidden_groups", 1, kMostLayers);
  const Index inner = config.size_or("inner_group_num", 1, kMostLayers);
  if (d.n_layers * inner > kMostLayers) config.refuse("inner_group_num", "too many layers");
  for (Index layer = 0; layer < d.n_layers; ++layer)
    for (Index i = 0; i < inner; ++i)
      d.layer_numbers.push_back(std::to_string(layer * groups / d.n_layers) + ".albert_layers." +
                                std::to_string(i));
  d.n_layers *= inner;
  set_layers(d);
}

// BERT without token types, whose scores also have a bias by buckets of distances.
void describe_mpnet(const ConfigReader& config, Description& d) {
  describe_bert(config, d);
  d.vocabulary = config.size_or("vocab_size", 30527);
  d.token_types = 0;
  d.causal = false;
  d.read_out_activation = Activation::kGelu;  // whatever hidden_act says
  d.padding = 1;
  d.position_offset = 2;
  if (d.max_positions <= d.position_offset)
    config.refuse("max_position_embeddings", "leaves no position after the padding");
  d.max_positions -= d.position_offset;
  d.distance_buckets = 32;  // of those that the file has
  d.largest_distance = 128;
  d.unused_buckets =
      config.size_or("relative_attention_num_buckets", d.distance_buckets) - d.distance_buckets;
  if (d.unused_buckets < 0)
    config.refuse("relative_attention_num_buckets", "should be at least 32");
}

constexpr std::array kBertFamilies = {
    Family{"bert", "BERT", describe_bert, kBertNames},
    Family{"roberta", "RoBERTa", describe_roberta, kRobertaNames},
    Family{"xlm-roberta", "XLM-RoBERTa", describe_xlm_roberta, kRobertaNames},
    Family{"camembert", "CamemBERT", describe_xlm_roberta, kRobertaNames},
    Family{"electra", "ELECTRA", describe_electra, kElectraNames},
    Family{"roformer", "RoFormer", describe_roformer, kRoformerNames},
    Family{"albert", "ALBERT", describe_albert, kAlbertNames},
    Family{"mpnet", "MPNet", describe_mpnet, kMpnetNames},
    Family{"distilbert",
           "DistilBERT",
           describe_distilbert,
           kDistilBertNames,
           {{{"hidden_size", "dim"},
             {"num_attention_heads", "n_heads"},
             {"num_hidden_layers", "n_layers"}}}},
};

}  // namespace

std::span<const Family> bert_families() { return kBertFamilies; }

}  // namespace lab::files
