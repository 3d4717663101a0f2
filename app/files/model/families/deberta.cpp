#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "app/base/strings.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"

// DeBERTa and its second kind: BERT's blocks with scores by distance.

namespace lab::files {

using attention::Index;

namespace {

// The names of a file, by those of what its heads are computed from, with the older head that fills
// gaps.
constexpr ModelNames deberta_names(const AttentionNames& attention) {
  return {
      .prefixes = {"deberta.", ""},
      .stack = {.tokens = "embeddings.word_embeddings",
                .positions = "embeddings.position_embeddings",
                .types = "embeddings.token_type_embeddings",
                .embedding_norm = "embeddings.LayerNorm",
                .embedding_projection = "embeddings.embed_proj",
                .layer = "encoder.layer.{}.",
                .attention = attention,
                .up = "intermediate.dense",
                .down = "output.dense",
                .mlp_norms = {.after = "output.LayerNorm"},
                .distances = "encoder.rel_embeddings",
                .distance_norm = "encoder.LayerNorm",
                .added_convolution = "encoder.conv.conv",
                .added_convolution_norm = "encoder.conv.LayerNorm"},
      .read_out = {.transform = "cls.predictions.transform.dense",
                   .norm = "cls.predictions.transform.LayerNorm",
                   .tokens = "cls.predictions.decoder",
                   .bias = "cls.predictions.decoder.bias"},
      .ties = {{{"cls.predictions.decoder.weight", "*embeddings.word_embeddings.weight"},
                {"cls.predictions.decoder.bias", "cls.predictions.bias"}}},
  };
}

// The same with the newer head, which reads the embedding itself.
constexpr ModelNames with_newer_head(ModelNames names) {
  names.read_out = {.transform = "lm_predictions.lm_head.dense",
                    .norm = "lm_predictions.lm_head.LayerNorm",
                    .tokens = "deberta.embeddings.word_embeddings",
                    .bias = "lm_predictions.lm_head.bias"};
  names.ties = {};
  return names;
}

constexpr ModelNames kDebertaNames =
    deberta_names({.fused = "attention.self.in_proj",
                   .output = "attention.output.dense",
                   .query_bias = "attention.self.q_bias",
                   .value_bias = "attention.self.v_bias",
                   .position_key = "attention.self.pos_proj",
                   .position_query = "attention.self.pos_q_proj",
                   .norms = {.after = "attention.output.LayerNorm"}});

constexpr ModelNames kDebertaV2Names =
    deberta_names({.query = "attention.self.query_proj",
                   .key = "attention.self.key_proj",
                   .value = "attention.self.value_proj",
                   .output = "attention.output.dense",
                   .position_key = "attention.self.pos_key_proj",
                   .position_query = "attention.self.pos_query_proj",
                   .norms = {.after = "attention.output.LayerNorm"}});

constexpr ModelNames kDebertaNewerNames = with_newer_head(kDebertaNames);
constexpr ModelNames kDebertaV2NewerNames = with_newer_head(kDebertaV2Names);

// A whole number that may be negative, as -1 where there is none.
Index read_whole(const ConfigReader& config, const char* name, Index otherwise) {
  const double value = config.number_or(name, static_cast<double>(otherwise));
  const bool fits = value == std::floor(value) && std::abs(value) <= ConfigReader::kLargestSize;
  if (!fits) config.refuse(name, "should be a whole number");
  return static_cast<Index>(value);
}

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "p2c|c2p": what stands between the bars, in small letters.
std::vector<std::string> between_bars(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find('|', first), text.size());
    parts.emplace_back(trimmed(std::string_view(text).substr(first, end - first)));
    first = end + 1;
  }
  for (std::string& part : parts) part = in_small_letters(part);
  return parts;
}

// pos_att_type: a text with bars, or a list.
std::vector<std::string> compared_positions(const ConfigReader& config) {
  const nlohmann::json* const value = config.find("pos_att_type");
  if (value != nullptr && value->is_string()) return between_bars(value->get<std::string>());
  return config.texts("pos_att_type");
}

bool lists_type(const std::vector<std::string>& list, const char* one) {
  return std::ranges::find(list, one) != list.end();
}

// The sizes that a file need not say.
struct DebertaDefaults {
  Index vocabulary, d_model, n_layers, n_heads, d_mlp;
};

// What both kinds have in common. Returns pos_att_type.
std::vector<std::string> describe_blocks(const ConfigReader& config,
                                         const DebertaDefaults& defaults, Description& d) {
  d.vocabulary = config.size_or("vocab_size", defaults.vocabulary);
  d.d_model = config.size_or("hidden_size", defaults.d_model);
  d.n_layers = config.size_or("num_hidden_layers", defaults.n_layers, kMostLayers);
  set_heads(config, "num_attention_heads", defaults.n_heads, d);
  check_whole_heads(config, "num_attention_heads", d);
  d.d_mlp = config.size_or("intermediate_size", defaults.d_mlp);
  d.max_positions = config.size_or("max_position_embeddings", 512);
  d.token_types = config.count_or("type_vocab_size", 0);
  d.norm_epsilon = read_epsilon(config, "layer_norm_eps", 1e-7);
  d.activation = d.read_out_activation = read_activation(config, "hidden_act", "gelu");
  d.d_embedding = config.size_or("embedding_size", d.d_model);
  d.projected_last = d.normed_last = true;
  d.causal = false;
  d.norm_position = NormPosition::kAfter;
  d.final_norm = false;
  d.embedding_norm = true;
  d.biases.read_out = true;
  const bool added = config.flag_or("position_biased_input", true);
  d.positions = added ? PositionType::kLearned : PositionType::kNone;
  return compared_positions(config);
}

// The head for gaps of newer files, whose read-out is always the embedding.
void set_newer_head(const ConfigReader& config, const ModelNames& names, Description& d) {
  if (config.flag_or("legacy", true)) return;
  if (d.d_embedding != d.d_model)
    config.refuse("embedding_size", "differs from hidden_size, which \"legacy\": false excludes");
  d.names = &names;
}

// Scores of several kinds are divided by the root of their number, too.
void set_score_factor(Index kinds, Description& d) {
  const auto numbers = static_cast<float>(d.head_dim * kinds);
  d.layers.assign(static_cast<std::size_t>(d.n_layers), {.score_factor = 1 / std::sqrt(numbers)});
}

// The scores by distance, where there are some.
void set_distances(const ConfigReader& config, const std::vector<std::string>& types,
                   Description& d) {
  if (!config.flag_or("relative_attention", false)) return;
  DistanceScoresDescription scores;
  scores.largest_distance = read_whole(config, "max_relative_positions", -1);
  if (scores.largest_distance < 1) scores.largest_distance = d.max_positions;
  scores.span = scores.largest_distance;
  scores.content_to_position = lists_type(types, "c2p");
  scores.position_to_content = lists_type(types, "p2c");
  if (scores.content_to_position || scores.position_to_content) d.distance_scores = scores;
}

// BERT whose scores are also by distance: of queries and keys with keys and queries of distances.
void describe_deberta(const ConfigReader& config, Description& d) {
  const std::vector<std::string> types = describe_blocks(config, {50265, 768, 12, 12, 3072}, d);
  if (config.flag_or("talking_head", false))
    config.refuse("talking_head", "only false is supported: heads are mixed by weights");
  set_newer_head(config, kDebertaNewerNames, d);
  set_score_factor(1 + std::ssize(types), d);
  set_distances(config, types, d);
  d.fused = FusedLayout::kByHead;
}

// DeBERTa with buckets of distances and a convolution after the first block.
void describe_deberta_v2(const ConfigReader& config, Description& d) {
  const std::vector<std::string> types = describe_blocks(config, {128100, 1536, 24, 24, 6144}, d);
  if (config.find("attention_head_size") != nullptr &&
      config.size_or("attention_head_size", d.head_dim) != d.head_dim)
    config.refuse("attention_head_size", "should be hidden_size / num_attention_heads");
  set_newer_head(config, kDebertaV2NewerNames, d);
  set_score_factor(1 + (lists_type(types, "c2p") ? 1 : 0) + (lists_type(types, "p2c") ? 1 : 0), d);
  set_distances(config, types, d);
  if (d.distance_scores) {
    DistanceScoresDescription& scores = *d.distance_scores;
    scores.buckets = std::max<Index>(read_whole(config, "position_buckets", -1), 0);
    if (scores.buckets > 0) scores.span = scores.buckets;
    if (scores.buckets == 1) config.refuse("position_buckets", "should be at least 2");
    if (scores.buckets > 0 && scores.largest_distance - 1 == scores.buckets / 2)
      config.refuse("max_relative_positions",
                    "leaves no bucket of position_buckets for far tokens");
    scores.shared = config.flag_or("share_att_key", false);
    scores.norm = lists_type(between_bars(config.text_or("norm_rel_ebd", "none")), "layer_norm");
    scores.key_bias = true;
  }
  const Index taps = std::max<Index>(read_whole(config, "conv_kernel_size", 0), 0);
  if (taps == 0) return;
  if (taps % 2 == 0) config.refuse("conv_kernel_size", "should be odd");
  d.added_convolution = {.taps = taps,
                         .groups = config.size_or("conv_groups", 1),
                         .activation = read_activation(config, "conv_act", "tanh")};
  if (d.d_model % d.added_convolution->groups != 0)
    config.refuse("conv_groups", "should divide hidden_size");
}

constexpr std::array kDebertaFamilies = {
    Family{"deberta", "DeBERTa", describe_deberta, kDebertaNames},
    Family{"deberta-v2", "DeBERTa-v2", describe_deberta_v2, kDebertaV2Names},
};

}  // namespace

std::span<const Family> deberta_families() { return kDebertaFamilies; }

}  // namespace lab::files
