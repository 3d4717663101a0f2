#pragma once

#include "app/files/model/config_reader.h"
#include "app/files/model/description.h"
#include "app/files/model/tensor_names.h"

// What the families around Llama have in common, for the files that describe them.

namespace lab::files {

/// The defaults in which they differ.
struct LlamaDefaults {
  attention::Index vocabulary, d_model, d_mlp, n_layers, n_heads;
  attention::Index n_kv_heads;  ///< 0: as many as heads
  attention::Index head_dim;    ///< 0: d_model / n_heads
  attention::Index positions;
};

/// The member that holds the epsilon of norms, and its default.
struct Epsilon {
  const char* name = "rms_norm_eps";
  double value = 1e-6;
};

/// Sizes, RMS norms, a gate, SiLU, no biases. Windows and rotary positions are set afterwards.
/// Throws BadInput, with the member's name, as do those below.
void describe_llama_like(const ConfigReader& config, Description& description,
                         const LlamaDefaults& defaults, const Epsilon& epsilon = {});

/// attention_bias, of all four maps.
void read_attention_bias(const ConfigReader& config, Description& description);

/// The window of sliding layers; 0 where there is none.
attention::Index read_window(const ConfigReader& config);

/// A cap of scores or logits: `default_value` where the member `name` is missing, 0 (none) where it
/// is null.
float read_cap(const ConfigReader& config, const char* name, double default_value);

/// Refuses null for num_key_value_heads, as the reference does in some families.
void require_key_heads(const ConfigReader& config);

/// Gives every layer the window of sliding_window, where config.json says one.
void set_window_of_all(const ConfigReader& config, Description& description);

/// Leaves the experts out of the first layers, as many as the member `name` says, which are
/// `default_value` where it is missing.
void set_dense_layers(const ConfigReader& config, const char* name, attention::Index default_value,
                      Description& description);

/// The number of experts, in the member `count_name`, and num_experts_per_tok of them, which are
/// `count` and `chosen` where they are missing.
void read_experts(const ConfigReader& config, const char* count_name, attention::Index count,
                  attention::Index chosen, Description& description);

/// Refuses norms of queries and keys, which the flag `name` asks for.
void refuse_head_norms(const ConfigReader& config, const char* name);

/// Of Llama, and of the families whose blocks have the same parts.
inline constexpr ModelNames kLlamaNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embed_tokens",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.o_proj",
                            .query_norm = "self_attn.q_norm",
                            .key_norm = "self_attn.k_norm",
                            .norms = {.before = "input_layernorm"}},
              .gate = "mlp.gate_proj",
              .up = "mlp.up_proj",
              .down = "mlp.down_proj",
              .mlp_norms = {.before = "post_attention_layernorm"},
              .final_norm = "norm"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

/// The names of another family, with what differs in the stack.
constexpr ModelNames changed_names(ModelNames names, void (*change)(StackNames&)) {
  change(names.stack);
  return names;
}

/// Llama's names, with experts in place of the MLP.
constexpr ModelNames llama_names_with_experts(const ExpertNames& experts) {
  ModelNames names = kLlamaNames;
  names.stack.experts = experts;
  return names;
}

/// An MLP of two maps.
constexpr void set_plain_mlp(StackNames& stack, const char* up, const char* down) {
  stack.gate = nullptr;
  stack.up = up;
  stack.down = down;
}

/// Gate and up in one.
constexpr void set_gate_up(StackNames& stack, const char* gate_up, const char* down) {
  stack.gate = stack.up = nullptr;
  stack.gate_up = gate_up;
  stack.down = down;
}

/// Of Gemma from 2 on: norms before and after each sublayer.
inline constexpr ModelNames kGemmaNames = changed_names(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms.branch = "post_attention_layernorm";
  stack.mlp_norms = {.before = "pre_feedforward_layernorm", .branch = "post_feedforward_layernorm"};
});

/// Of Qwen's mixtures, and of OLMoE.
inline constexpr ModelNames kQwenMoeNames =
    llama_names_with_experts({.router = "mlp.gate",
                              .gate = "mlp.experts.{}.gate_proj",
                              .up = "mlp.experts.{}.up_proj",
                              .down = "mlp.experts.{}.down_proj",
                              .shared_gate = "mlp.shared_expert_gate",
                              .shared_mlp_gate = "mlp.shared_expert.gate_proj",
                              .shared_up = "mlp.shared_expert.up_proj",
                              .shared_down = "mlp.shared_expert.down_proj"});

/// Of GLM-4's mixtures, and of DeepSeek's but for attention.
inline constexpr ModelNames kGlm4MoeNames =
    llama_names_with_experts({.router = "mlp.gate",
                              .correction = "mlp.gate.e_score_correction_bias",
                              .gate = "mlp.experts.{}.gate_proj",
                              .up = "mlp.experts.{}.up_proj",
                              .down = "mlp.experts.{}.down_proj",
                              .shared_mlp_gate = "mlp.shared_experts.gate_proj",
                              .shared_up = "mlp.shared_experts.up_proj",
                              .shared_down = "mlp.shared_experts.down_proj"});

/// Of EXAONE 4, and of OLMo 2 and 3: norms of what each sublayer gives.
inline constexpr ModelNames kExaone4Names = changed_names(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms = {.branch = "post_attention_layernorm"};
  stack.mlp_norms = {.branch = "post_feedforward_layernorm"};
});

}  // namespace lab::files
