#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// Llama and the families that differ from it in a setting or two.

namespace lab::files {

using attention::Index;
using attention::network::NormType;

namespace {

constexpr ModelNames kNemotronNames = changed_names(
    kLlamaNames, [](StackNames& stack) { set_plain_mlp(stack, "mlp.up_proj", "mlp.down_proj"); });

constexpr ModelNames kNanochatNames = changed_names(kLlamaNames, [](StackNames& stack) {
  stack.embedding_norm = "norm";
  set_plain_mlp(stack, "mlp.fc1", "mlp.fc2");
});

// RMS norms, SiLU with a gate, rotary positions, no biases unless it says so.
void describe_llama(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 11008, 32, 32, 0, 0, 2048});
  check_whole_heads(config, "num_attention_heads", d);
  read_attention_bias(config, d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_rotary(config, d);
}

// Llama whose embedding, branches, scores and logits are multiplied.
void describe_granite(const ConfigReader& config, Description& d) {
  describe_llama(config, d);
  const auto positive = [&](const char* name) {
    const double value = config.number_or(name, 1);
    if (!(value > 0) || value > 1e30) config.refuse(name, "should be a positive number");
    return static_cast<float>(value);
  };
  d.embedding_scale = positive("embedding_multiplier");
  d.branch_factor = positive("residual_multiplier");
  d.read_out_scale = 1 / positive("logits_scaling");
  for (LayerDescription& layer : d.layers) layer.score_factor = positive("attention_multiplier");
}

// Llama with rotary positions of adjacent pairs.
void describe_helium(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {48000, 2560, 7040, 24, 20, 20, 128, 4096},
                      {"rms_norm_eps", 1e-8});
  require_key_heads(config);
  d.biases.query_key_value = config.flag_or("attention_bias", false);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.rotary_pairs = attention::RotaryPairs::kAdjacent;
  set_layers(d);
  set_rotary(config, d, {.default_base = 1e5});
}

// Marks the layers that know no positions (NoPE): those where no_rope_layers has a 0, or every
// no_rope_layer_interval-th.
void set_nope_layers(const ConfigReader& config, Description& d) {
  const Index interval = config.size_or("no_rope_layer_interval", 4);
  const std::vector<double> rotated =
      config.has("no_rope_layers") ? config.numbers("no_rope_layers") : std::vector<double>();
  if (config.has("no_rope_layers") && static_cast<Index>(rotated.size()) < d.n_layers)
    config.refuse("no_rope_layers", std::to_string(rotated.size()) + " numbers for " +
                                        std::to_string(d.n_layers) + " layers");
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    d.layers[layer].rotated =
        rotated.empty() ? (static_cast<Index>(layer) + 1) % interval != 0 : rotated[layer] != 0;
}

// Llama with every fourth layer without positions.
void describe_smollm3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {128256, 2048, 11008, 36, 16, 4, 0, 32768});
  read_attention_bias(config, d);
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.activation = read_activation(config, "hidden_act", "silu");
  d.tied = config.flag_or("tie_word_embeddings", true);
  set_layers(d);
  set_nope_layers(config, d);
  const Index window = config.flag_or("use_sliding_window", false) && config.has("sliding_window")
                           ? read_window(config)
                           : 0;
  set_windows(config, d, window, [&](Index layer) {
    return window > 0 && !d.layers[static_cast<std::size_t>(layer)].rotated;
  });
  set_rotary(config, d, {.default_base = 2e6, .layer_types = true});
}

// Norms of what each sublayer gives, and of queries and keys; layers without a window have no
// positions.
void describe_exaone4(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {102400, 4096, 16384, 32, 32, 32, 0, 2048},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  d.query_key_norm = true;
  d.norm_position = NormPosition::kBranch;
  set_layers(d);
  const Index window = read_window(config);
  const Index pattern =
      window == 0 || config.has("layer_types") ? 1 : config.size_or("sliding_window_pattern", 4);
  set_windows(config, d, window, [&](Index layer) { return (layer + 1) % pattern != 0; });
  for (LayerDescription& layer : d.layers) layer.rotated = window == 0 || layer.sliding;
  set_rotary(config, d, {.layer_types = true});
}

// LayerNorms of weight + 1, squared ReLU without a gate, half of each head rotated.
void describe_nemotron(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {256000, 6144, 24576, 32, 48, 0, 0, 4096}, {"norm_eps", 1e-5});
  read_attention_bias(config, d);
  d.norm = NormType::kLayer;
  d.norm_weight_plus_one = true;
  d.biases.norm = true;
  d.biases.mlp = config.flag_or("mlp_bias", false);
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "relu2");
  set_layers(d);
  set_rotary(config, d, {.default_fraction = 0.5, .partial = true});
}

// NanoChat rotates the other way, and normalises queries and keys after that. A rotation does not
// change what they are divided by, and a factor s of the rotated rows falls out, but for ε / s².
void rotate_before_norm(const ConfigReader& config, Description& d) {
  const auto reverse = [](std::vector<float>& frequencies) {
    for (float& frequency : frequencies) frequency = -frequency;
  };
  for (LayerDescription& layer : d.layers) {
    reverse(layer.frequencies);
    if (layer.long_texts && layer.long_texts->frequencies.empty())
      config.refuse("rope_type", "\"dynamic\" is not supported in this family");
    if (layer.long_texts) reverse(layer.long_texts->frequencies);
    d.query_key_epsilon = d.norm_epsilon / (layer.rotary_scale * layer.rotary_scale);
    layer.rotary_scale = 1;
  }
}

// Norms without weights, also of queries and keys, squared ReLU, a cap of logits.
void describe_nanochat(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {50304, 768, 8192, 12, 6, 0, 0, 2048});
  read_attention_bias(config, d);
  d.norm_weights = false;
  d.embedding_norm = d.query_key_norm = true;
  d.gated = false;
  d.activation = read_activation(config, "hidden_act", "relu2");
  d.logit_cap = config.says_null("final_logit_softcapping")
                    ? 0
                    : static_cast<float>(config.number_or("final_logit_softcapping", 15));
  set_layers(d);
  set_rotary(config, d);
  rotate_before_norm(config, d);
}

constexpr std::array kLlamaFamilies = {
    Family{"llama", "Llama", describe_llama, kLlamaNames},
    Family{"exaone4", "EXAONE 4", describe_exaone4, kExaone4Names},
    Family{"nemotron", "Nemotron", describe_nemotron, kNemotronNames},
    Family{"nanochat", "nanochat", describe_nanochat, kNanochatNames},
    Family{"smollm3", "SmolLM3", describe_smollm3, kLlamaNames},
    Family{"granite", "Granite", describe_granite, kLlamaNames},
    Family{"helium", "Helium", describe_helium, kLlamaNames},
};

}  // namespace

std::span<const Family> llama_families() { return kLlamaFamilies; }

}  // namespace lab::files
