#include <array>

#include "app/base/bad_input.h"
#include "app/files/model/describe.h"
#include "app/files/model/families.h"
#include "app/files/model/families/llama_like.h"

// gpt-oss.

namespace lab::files {

using attention::Index;

namespace {

constexpr ModelNames kGptOssNames =
    changed_names(llama_names_with_experts({.router = "mlp.router",
                                            .gate_up = "mlp.experts.gate_up_proj.{}",
                                            .gate = "mlp.experts.gate_proj.{}",
                                            .up = "mlp.experts.up_proj.{}",
                                            .down = "mlp.experts.down_proj.{}"}),
                  [](StackNames& stack) { stack.attention.sinks = "self_attn.sinks"; });

// What gpt-oss takes for rotary positions where config.json says nothing of them.
nlohmann::json with_default_yarn(const ConfigReader& config) {
  nlohmann::json members = config.value();
  const auto scaling = config.object("rope_scaling");
  if (config.has("rope_parameters") || (scaling && !scaling->value().empty())) return members;
  members["rope_parameters"] = {{"rope_type", "yarn"}, {"factor", 32.0},
                                {"beta_fast", 32.0},   {"beta_slow", 1.0},
                                {"truncate", false},   {"original_max_position_embeddings", 4096U}};
  return members;
}

float limit_of_gates(const ConfigReader& config) {
  const double limit = config.number_or("swiglu_limit", 7);
  if (!(limit >= 0) || limit > 1e30) config.refuse("swiglu_limit", "should be a number from 0 on");
  return static_cast<float>(limit);
}

// Qwen2 with a sink of each head, a window in every other layer, and experts with clamped gates.
void describe_gpt_oss(const ConfigReader& config, Description& d) {
  describe_llama_like(config, d, {201088, 2880, 2880, 36, 64, 8, 64, 131072},
                      {"rms_norm_eps", 1e-5});
  const bool biases = config.flag_or("attention_bias", true);
  d.biases.query_key_value = d.biases.attention_output = biases;
  set_layers(d);
  if (config.says_null("sliding_window")) config.refuse("sliding_window", "is null");
  set_windows(config, d, config.size_or("sliding_window", 128),
              [](Index layer) { return layer % 2 == 0; });
  if (const std::string activation = config.text_or("hidden_act", "silu"); activation != "silu")
    d.notes.push_back("hidden_act is " + in_quotes(activation) +
                      ", but this family's experts have a gate of their own");
  const nlohmann::json members = with_default_yarn(config);
  set_rotary(ConfigReader(members), d, {.default_base = 150000, .layer_types = true});
  read_experts(config, "num_local_experts", 128, 4, d);
  d.experts.d_mlp = d.d_mlp;
  d.experts.normalised = d.experts.biases = true;
  d.experts.clamped = {.limit = limit_of_gates(config),
                       .alpha = static_cast<float>(config.number_or("swiglu_alpha", 1.702))};
}

constexpr std::array kGptOssFamilies = {
    Family{"gpt_oss",
           "gpt-oss",
           describe_gpt_oss,
           kGptOssNames,
           {{{"num_experts", "num_local_experts"}}}},
};

}  // namespace

std::span<const Family> gpt_oss_families() { return kGptOssFamilies; }

}  // namespace lab::files
