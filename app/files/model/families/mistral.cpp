#include <array>

#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// The families of Mistral AI.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kMixtralNames =
    llama_names_with_experts({.router = "block_sparse_moe.gate",
                              .gate = "block_sparse_moe.experts.{}.w1",
                              .up = "block_sparse_moe.experts.{}.w3",
                              .down = "block_sparse_moe.experts.{}.w2"});

// Llama with groups of heads and a window in every layer.
void describe_mistral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072});
  require_key_heads(config);
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = read_window(config);
  for (LayerDescription& layer : d.layers) layer.window = window;
  set_rotary(config, d);
}

// Llama with a window in the layers that layer_types names, or in all.
void describe_ministral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  const Index window = read_window(config);
  set_windows(config, d, window, [&](Index) { return window > 0; });
  set_rotary(config, d, {.layer_types = true});
}

// Llama with a window if it says so; texts only up to where it would scale queries.
void describe_ministral3(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {131072, 4096, 14336, 34, 32, 8, 128, 262144},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_window_of_all(config, d);
  const auto rope = config.object("rope_parameters");
  if (!rope) config.refuse("rope_parameters", "is missing");
  set_rotary(config, d, {.default_base = 1e6});
  const Index original = rope->size_or("original_max_position_embeddings", 16384);
  if (rope->number_or("llama_4_scaling_beta", 0) == 0 || original >= d.max_positions) return;
  d.max_positions = d.longest_text = original;
  d.notes.push_back("texts are limited to " + std::to_string(original) +
                    " tokens: queries of later positions are scaled, which is not supported");
}

// Mistral with experts in place of the MLP.
void describe_mixtral(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {32000, 4096, 14336, 32, 32, 8, 0, 131072},
                      {"rms_norm_eps", 1e-5});
  d.activation = read_activation(config, "hidden_act", "silu");
  set_layers(d);
  set_window_of_all(config, d);
  set_rotary(config, d, {.default_base = 1e6});
  read_experts(config, "num_local_experts", 8, 2, d);
  d.experts.d_mlp = d.d_mlp;
  d.experts.normalised = true;
}

constexpr std::array kMistralFamilies = {
    Family{"mistral", "Mistral", describe_mistral, kLlamaNames},
    Family{"ministral", "Ministral", describe_ministral, kLlamaNames},
    Family{"ministral3", "Ministral 3", describe_ministral3, kLlamaNames},
    Family{"mixtral",
           "Mixtral",
           describe_mixtral,
           kMixtralNames,
           {{{"num_experts", "num_local_experts"}}}},
};

}  // namespace

std::span<const Family> mistral_families() { return kMistralFamilies; }

}  // namespace lab::files
