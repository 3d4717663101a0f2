#include "app/files/model/gguf/gguf_architecture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/base/bad_input.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr std::array kLlamaTensors = std::to_array<GgufName>({
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
    {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
    {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
    {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
    {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"},
    {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"},
    {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
});
// Gemma's other names come first.
constexpr std::array kGemmaTensors = std::to_array<GgufName>({
    {"blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"},
});
// Names with their endings are those of tensors without one, or with another one, in a folder.
constexpr std::array kGemma4Tensors = std::to_array<GgufName>({
    {"blk.{}.layer_output_scale.weight", "model.layers.{}.layer_scalar"},
    {"blk.{}.ffn_gate_inp.scale", "model.layers.{}.router.scale"},
    {"blk.{}.ffn_down_exps.scale", "model.layers.{}.router.per_expert_scale"},
    {"blk.{}.ffn_norm", "model.layers.{}.pre_feedforward_layernorm"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"},
    {"blk.{}.pre_ffw_norm_2", "model.layers.{}.pre_feedforward_layernorm_2"},
    {"blk.{}.post_ffw_norm_1", "model.layers.{}.post_feedforward_layernorm_1"},
    {"blk.{}.post_ffw_norm_2", "model.layers.{}.post_feedforward_layernorm_2"},
    {"blk.{}.ffn_gate_inp", "model.layers.{}.router.proj"},
    {"per_layer_token_embd", "model.embed_tokens_per_layer"},
    {"per_layer_model_proj", "model.per_layer_model_projection"},
    {"per_layer_proj_norm", "model.per_layer_projection_norm"},
    {"blk.{}.inp_gate", "model.layers.{}.per_layer_input_gate"},
    {"blk.{}.proj", "model.layers.{}.per_layer_projection"},
    {"blk.{}.post_norm", "model.layers.{}.post_per_layer_input_norm"},
});
constexpr std::array kGemma4Stacks = std::to_array<GgufStack>({
    {"blk.{}.ffn_gate_exps", {"model.layers.{}.experts.{}.gate_proj"}},
    {"blk.{}.ffn_up_exps", {"model.layers.{}.experts.{}.up_proj"}},
    {"blk.{}.ffn_down_exps", {"model.layers.{}.experts.down_proj.{}"}},
    {"blk.{}.ffn_gate_up_exps",
     {"model.layers.{}.experts.{}.gate_proj", "model.layers.{}.experts.{}.up_proj"}},
});
// What is named otherwise than in Llama.
constexpr std::array kPhi3Tensors = std::to_array<GgufName>({
    {"blk.{}.attn_qkv", "model.layers.{}.self_attn.qkv_proj"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj"},
});
constexpr std::array kGlm4Tensors = std::to_array<GgufName>({
    {"blk.{}.post_attention_norm", "model.layers.{}.post_self_attn_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_mlp_layernorm"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.gate_up_proj"},
});
constexpr std::array kPhi2Tensors = std::to_array<GgufName>({
    {"output_norm", "model.final_layernorm"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.dense"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.fc1"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.fc2"},
});
constexpr std::array kStarcoder2Tensors = std::to_array<GgufName>({
    {"blk.{}.ffn_up", "model.layers.{}.mlp.c_fc"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.c_proj"},
});
// Of OLMo 2 and 3 too.
constexpr std::array kExaone4Tensors = std::to_array<GgufName>({
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"},
});
// The maps of an expert alone are in files of the first months.
constexpr std::array kMixtralTensors = std::to_array<GgufName>({
    {"blk.{}.ffn_gate_inp", "model.layers.{}.block_sparse_moe.gate"},
    {"blk.{}.ffn_gate.{}", "model.layers.{}.block_sparse_moe.experts.{}.w1"},
    {"blk.{}.ffn_up.{}", "model.layers.{}.block_sparse_moe.experts.{}.w3"},
    {"blk.{}.ffn_down.{}", "model.layers.{}.block_sparse_moe.experts.{}.w2"},
});
constexpr std::array kMixtralStacks = std::to_array<GgufStack>({
    {"blk.{}.ffn_gate_exps", {"model.layers.{}.block_sparse_moe.experts.{}.w1"}},
    {"blk.{}.ffn_up_exps", {"model.layers.{}.block_sparse_moe.experts.{}.w3"}},
    {"blk.{}.ffn_down_exps", {"model.layers.{}.block_sparse_moe.experts.{}.w2"}},
    {"blk.{}.ffn_gate_up_exps",
     {"model.layers.{}.block_sparse_moe.experts.{}.w1",
      "model.layers.{}.block_sparse_moe.experts.{}.w3"}},
});
constexpr std::array kQwenMoeTensors = std::to_array<GgufName>({
    {"blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"},
    {"blk.{}.ffn_gate_inp_shexp", "model.layers.{}.mlp.shared_expert_gate"},
    {"blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.shared_expert.gate_proj"},
    {"blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_expert.up_proj"},
    {"blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_expert.down_proj"},
});
constexpr std::array kQwenMoeStacks = std::to_array<GgufStack>({
    {"blk.{}.ffn_gate_exps", {"model.layers.{}.mlp.experts.{}.gate_proj"}},
    {"blk.{}.ffn_up_exps", {"model.layers.{}.mlp.experts.{}.up_proj"}},
    {"blk.{}.ffn_down_exps", {"model.layers.{}.mlp.experts.{}.down_proj"}},
    {"blk.{}.ffn_gate_up_exps",
     {"model.layers.{}.mlp.experts.{}.gate_proj", "model.layers.{}.mlp.experts.{}.up_proj"}},
});
// The first of them has no ending in a model's folder.
constexpr std::array kGptOssTensors = std::to_array<GgufName>({
    {"blk.{}.attn_sinks.weight", "model.layers.{}.self_attn.sinks"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate_inp", "model.layers.{}.mlp.router"},
});
constexpr std::array kGptOssStacks = std::to_array<GgufStack>({
    {"blk.{}.ffn_gate_exps", {"model.layers.{}.mlp.experts.gate_proj.{}"}},
    {"blk.{}.ffn_up_exps", {"model.layers.{}.mlp.experts.up_proj.{}"}},
    {"blk.{}.ffn_down_exps", {"model.layers.{}.mlp.experts.down_proj.{}"}},
    {"blk.{}.ffn_gate_up_exps",
     {"model.layers.{}.mlp.experts.gate_proj.{}", "model.layers.{}.mlp.experts.up_proj.{}"}},
});
// The first of them has no ending in a model's folder.
constexpr std::array kGlm4MoeTensors = std::to_array<GgufName>({
    {"blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.gate.e_score_correction_bias"},
    {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"},
    {"blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.shared_experts.gate_proj"},
    {"blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_experts.up_proj"},
    {"blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_experts.down_proj"},
});
// Keys and values have one map, or in newer files one each.
constexpr std::array kDeepseekTensors = std::to_array<GgufName>({
    {"blk.{}.exp_probs_b.bias", "model.layers.{}.mlp.gate.e_score_correction_bias"},
    {"blk.{}.attn_q_a", "model.layers.{}.self_attn.q_a_proj"},
    {"blk.{}.attn_q_a_norm", "model.layers.{}.self_attn.q_a_layernorm"},
    {"blk.{}.attn_q_b", "model.layers.{}.self_attn.q_b_proj"},
    {"blk.{}.attn_kv_a_mqa", "model.layers.{}.self_attn.kv_a_proj_with_mqa"},
    {"blk.{}.attn_kv_a_norm", "model.layers.{}.self_attn.kv_a_layernorm"},
    {"blk.{}.attn_kv_b", "model.layers.{}.self_attn.kv_b_proj"},
    {"blk.{}.attn_k_b", "model.layers.{}.self_attn.k_b_proj"},
    {"blk.{}.attn_v_b", "model.layers.{}.self_attn.v_b_proj"},
    {"blk.{}.ffn_gate_inp", "model.layers.{}.mlp.gate"},
    {"blk.{}.ffn_gate_shexp", "model.layers.{}.mlp.shared_experts.gate_proj"},
    {"blk.{}.ffn_up_shexp", "model.layers.{}.mlp.shared_experts.up_proj"},
    {"blk.{}.ffn_down_shexp", "model.layers.{}.mlp.shared_experts.down_proj"},
});
constexpr std::array kLfm2Tensors = std::to_array<GgufName>({
    {"token_embd_norm", "model.embedding_norm"},
    {"blk.{}.attn_norm", "model.layers.{}.operator_norm"},
    {"blk.{}.attn_output", "model.layers.{}.self_attn.out_proj"},
    {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_layernorm"},
    {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_layernorm"},
    {"blk.{}.shortconv.in_proj", "model.layers.{}.conv.in_proj"},
    {"blk.{}.shortconv.conv", "model.layers.{}.conv.conv"},
    {"blk.{}.shortconv.out_proj", "model.layers.{}.conv.out_proj"},
    {"blk.{}.ffn_norm", "model.layers.{}.ffn_norm"},
    {"blk.{}.ffn_gate", "model.layers.{}.feed_forward.w1"},
    {"blk.{}.ffn_up", "model.layers.{}.feed_forward.w3"},
    {"blk.{}.ffn_down", "model.layers.{}.feed_forward.w2"},
});
constexpr std::array kGpt2Tensors = std::to_array<GgufName>({
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "transformer.h.{}.ln_1"},
    {"blk.{}.attn_qkv", "transformer.h.{}.attn.c_attn"},
    {"blk.{}.attn_output", "transformer.h.{}.attn.c_proj"},
    {"blk.{}.ffn_norm", "transformer.h.{}.ln_2"},
    {"blk.{}.ffn_up", "transformer.h.{}.mlp.c_fc"},
    {"blk.{}.ffn_down", "transformer.h.{}.mlp.c_proj"},
});
constexpr std::array kGptNeoxTensors = std::to_array<GgufName>({
    {"token_embd", "gpt_neox.embed_in"},
    {"output_norm", "gpt_neox.final_layer_norm"},
    {"output", "embed_out"},
    {"blk.{}.attn_norm", "gpt_neox.layers.{}.input_layernorm"},
    {"blk.{}.attn_qkv", "gpt_neox.layers.{}.attention.query_key_value"},
    {"blk.{}.attn_output", "gpt_neox.layers.{}.attention.dense"},
    {"blk.{}.ffn_norm", "gpt_neox.layers.{}.post_attention_layernorm"},
    {"blk.{}.ffn_up", "gpt_neox.layers.{}.mlp.dense_h_to_4h"},
    {"blk.{}.ffn_down", "gpt_neox.layers.{}.mlp.dense_4h_to_h"},
});
// Of Falcon too.
constexpr std::array kBloomTensors = std::to_array<GgufName>({
    {"token_embd", "transformer.word_embeddings"},
    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
    {"output_norm", "transformer.ln_f"},
    {"output", "lm_head"},
    {"blk.{}.attn_norm", "transformer.h.{}.input_layernorm"},
    {"blk.{}.attn_qkv", "transformer.h.{}.self_attention.query_key_value"},
    {"blk.{}.attn_output", "transformer.h.{}.self_attention.dense"},
    {"blk.{}.ffn_norm", "transformer.h.{}.post_attention_layernorm"},
    {"blk.{}.ffn_up", "transformer.h.{}.mlp.dense_h_to_4h"},
    {"blk.{}.ffn_down", "transformer.h.{}.mlp.dense_4h_to_h"},
});
// The norm of the MLP is the first, and that of attention the second.
constexpr std::array kFalconTwoNormTensors = std::to_array<GgufName>({
    {"blk.{}.attn_norm", "transformer.h.{}.ln_mlp"},
    {"blk.{}.attn_norm_2", "transformer.h.{}.ln_attn"},
});
constexpr std::array kBertTensors = std::to_array<GgufName>({
    {"token_embd", "bert.embeddings.word_embeddings"},
    {"position_embd", "bert.embeddings.position_embeddings"},
    {"token_types", "bert.embeddings.token_type_embeddings"},
    {"token_embd_norm", "bert.embeddings.LayerNorm"},
    {"blk.{}.attn_q", "bert.encoder.layer.{}.attention.self.query"},
    {"blk.{}.attn_k", "bert.encoder.layer.{}.attention.self.key"},
    {"blk.{}.attn_v", "bert.encoder.layer.{}.attention.self.value"},
    {"blk.{}.attn_output", "bert.encoder.layer.{}.attention.output.dense"},
    {"blk.{}.attn_output_norm", "bert.encoder.layer.{}.attention.output.LayerNorm"},
    {"blk.{}.ffn_up", "bert.encoder.layer.{}.intermediate.dense"},
    {"blk.{}.ffn_down", "bert.encoder.layer.{}.output.dense"},
    {"blk.{}.layer_output_norm", "bert.encoder.layer.{}.output.LayerNorm"},
});
constexpr std::array kModernBertTensors = std::to_array<GgufName>({
    {"token_embd", "model.embeddings.tok_embeddings"},
    {"token_embd_norm", "model.embeddings.norm"},
    {"output_norm", "model.final_norm"},
    {"blk.{}.attn_norm", "model.layers.{}.attn_norm"},
    {"blk.{}.attn_qkv", "model.layers.{}.attn.Wqkv"},
    {"blk.{}.attn_output", "model.layers.{}.attn.Wo"},
    {"blk.{}.ffn_norm", "model.layers.{}.mlp_norm"},
    {"blk.{}.ffn_up", "model.layers.{}.mlp.Wi"},
    {"blk.{}.ffn_down", "model.layers.{}.mlp.Wo"},
});

// Of several with one name, those that need a tensor or a key come first.
constexpr std::array kArchitectures = std::to_array<GgufArchitecture>({
    {.name = "llama",
     .type = "mixtral",
     .tensors = {kMixtralTensors, kLlamaTensors},
     .stacks = kMixtralStacks,
     .routing = GgufRouting::kPlain,
     .only_with = "blk.0.ffn_gate_inp.weight",
     .counted = "llama.expert_count",
     .adjacent_pairs = true},
    {.name = "llama", .type = "llama", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "qwen2", .type = "qwen2", .tensors = {kLlamaTensors}},
    {.name = "qwen2moe",
     .type = "qwen2_moe",
     .tensors = {kQwenMoeTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kQwen},
    {.name = "qwen3", .type = "qwen3", .tensors = {kLlamaTensors}},
    {.name = "qwen3moe",
     .type = "qwen3_moe",
     .tensors = {kQwenMoeTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kQwen},
    {.name = "smollm3", .type = "smollm3", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "granite", .type = "granite", .tensors = {kLlamaTensors}, .adjacent_pairs = true},
    {.name = "olmo2", .type = "olmo2", .tensors = {kExaone4Tensors, kLlamaTensors}},
    {.name = "olmoe",
     .type = "olmoe",
     .tensors = {kQwenMoeTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kPlain},
    {.name = "exaone4", .type = "exaone4", .tensors = {kExaone4Tensors, kLlamaTensors}},
    {.name = "nemotron",
     .type = "nemotron",
     .tensors = {kLlamaTensors},
     .partial = true,
     .one_added = true},
    {.name = "glm4", .type = "glm4", .tensors = {kGlm4Tensors, kLlamaTensors}, .partial = true},
    {.name = "glm4moe",
     .type = "glm4_moe",
     .tensors = {kGlm4MoeTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kSigmoid,
     .partial = true},
    {.name = "gpt-oss",
     .type = "gpt_oss",
     .tensors = {kGptOssTensors, kLlamaTensors},
     .stacks = kGptOssStacks,
     .routing = GgufRouting::kChosen},
    {.name = "deepseek2",
     .type = "deepseek_v3",
     .tensors = {kDeepseekTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kSigmoid,
     .counted = "deepseek2.expert_gating_func",
     .above = 1,
     .latent = true},
    {.name = "deepseek2",
     .type = "deepseek_v2",
     .tensors = {kDeepseekTensors, kLlamaTensors},
     .stacks = kQwenMoeStacks,
     .routing = GgufRouting::kGroups,
     .latent = true},
    {.name = "lfm2",
     .type = "lfm2",
     .tensors = {kLfm2Tensors, kLlamaTensors},
     .convolutions = true},
    {.name = "command-r", .type = "cohere", .tensors = {kLlamaTensors}},
    {.name = "cohere2", .type = "cohere2", .tensors = {kLlamaTensors}},
    {.name = "phi2", .type = "phi", .tensors = {kPhi2Tensors, kLlamaTensors}, .partial = true},
    {.name = "phi3", .type = "phi3", .tensors = {kPhi3Tensors, kLlamaTensors}, .partial = true},
    {.name = "stablelm", .type = "stablelm", .tensors = {kLlamaTensors}, .partial = true},
    {.name = "starcoder2", .type = "starcoder2", .tensors = {kStarcoder2Tensors, kLlamaTensors}},
    {.name = "gemma", .type = "gemma", .tensors = {kLlamaTensors}, .one_added = true},
    {.name = "gemma2",
     .type = "gemma2",
     .tensors = {kGemmaTensors, kLlamaTensors},
     .one_added = true},
    {.name = "gemma3",
     .type = "gemma3_text",
     .tensors = {kGemmaTensors, kLlamaTensors},
     .one_added = true},
    {.name = "gemma4",
     .type = "gemma4_text",
     .tensors = {kGemma4Tensors, kLlamaTensors},
     .stacks = kGemma4Stacks,
     .routing = GgufRouting::kBeside,
     .counted = "gemma4.expert_count"},
    {.name = "gemma4", .type = "gemma4_text", .tensors = {kGemma4Tensors, kLlamaTensors}},
    {.name = "gpt2", .type = "gpt2", .tensors = {kGpt2Tensors}, .in_out = true},
    {.name = "gptneox",
     .type = "gpt_neox",
     .tensors = {kGptNeoxTensors},
     .partial = true,
     .by_part = true},
    {.name = "bloom", .type = "bloom", .tensors = {kBloomTensors}, .by_part = true},
    {.name = "falcon",
     .type = "falcon",
     .tensors = {kFalconTwoNormTensors, kBloomTensors},
     .only_with = "blk.0.attn_norm_2.weight",
     .by_part = true},
    {.name = "falcon", .type = "falcon", .tensors = {kBloomTensors}, .by_part = true},
    {.name = "bert", .type = "bert", .tensors = {kBertTensors}},
    {.name = "modern-bert", .type = "modernbert", .tensors = {kModernBertTensors}},
});

// Architectures that are known and not computed, by what is missing for them.
struct Uncomputed {
  std::string_view missing;
  std::array<std::string_view, 12> names;
};
constexpr std::array kUncomputed = std::to_array<Uncomputed>({
    {"latent attention, whose keys and values come from a narrower row",
     {"deepseek2-ocr", "minicpm3", "plm", "glm-dsa", "mistral4"}},
    {"layers that keep a state instead of attending",
     {"mamba", "mamba2", "jamba", "rwkv6", "rwkv7", "falcon-h1", "granitehybrid", "nemotron_h",
      "qwen3next", "qwen35", "kimi-linear"}},
    {"convolutions beside experts, which are read as a folder of transformers", {"lfm2moe"}},
    {"encoders with rotary positions and gated MLPs",
     {"nomic-bert", "nomic-bert-moe", "jina-bert-v3"}},
    {"an encoder and a decoder in one GGUF file, which is read as a folder of transformers",
     {"t5", "t5encoder"}},
    {"embeddings that layers have of their own", {"gemma3n"}},
});

bool applies(const GgufArchitecture& known, const json& metadata,
             const std::set<std::string>& tensors) {
  const bool always = known.only_with.empty() && known.counted.empty();
  if (always || tensors.contains(std::string(known.only_with))) return true;
  const auto count = metadata.find(known.counted);
  return count != metadata.end() && count->is_number() && count->get<double>() > known.above;
}

std::string_view what_is_missing(std::string_view name) {
  for (const Uncomputed& group : kUncomputed)
    if (!name.empty() && std::ranges::find(group.names, name) != group.names.end())
      return group.missing;
  return {};
}

// The supported name that begins most like `name`; empty when none shares three characters.
std::string_view closest_name(std::string_view name) {
  std::size_t most = 2;
  std::string_view closest;
  for (const GgufArchitecture& known : kArchitectures) {
    const auto shared =
        static_cast<std::size_t>(std::ranges::mismatch(known.name, name).in1 - known.name.begin());
    if (shared <= most) continue;
    most = shared;
    closest = known.name;
  }
  return closest;
}

[[noreturn]] void refuse_architecture(const std::string& name) {
  std::string text = "the architecture " + in_quotes(name) + " is not supported";
  if (const std::string_view missing = what_is_missing(name); !missing.empty())
    text += ": it needs " + std::string(missing);
  else if (const std::string_view closest = closest_name(name); !closest.empty())
    text += "; the closest one that is supported is " + std::string(closest);
  std::string all;
  std::string_view last;
  for (const GgufArchitecture& known : kArchitectures)
    if (std::string_view(known.name) != std::exchange(last, known.name))
      all += (all.empty() ? "" : ", ") + std::string(known.name);
  throw BadInput(text + "; supported are " + all);
}

// A name with {} for each number between its dots, and the numbers.
struct PlainName {
  std::string name;
  std::vector<std::string> numbers;
};

PlainName without_numbers(std::string_view name) {
  PlainName plain;
  for (bool last = false; !last;) {
    const std::size_t dot = name.find('.');
    last = dot == name.npos;
    const std::string_view part = name.substr(0, dot);
    const bool number =
        !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    if (number) plain.numbers.emplace_back(part);
    plain.name += number ? "{}" : std::string(part);
    if (last) continue;
    plain.name += '.';
    name.remove_prefix(dot + 1);
  }
  return plain;
}

std::string with_numbers(std::string_view name, std::span<const std::string> numbers) {
  std::string full(name);
  for (const std::string& number : numbers)
    if (const std::size_t at = full.find("{}"); at != full.npos) full.replace(at, 2, number);
  return full;
}

// A name and what follows its last dot, which is ".weight" or ".bias"; else nothing.
std::pair<std::string, std::string> without_ending(const std::string& name) {
  for (const std::string_view ending : {".weight", ".bias"})
    if (name.ends_with(ending))
      return {name.substr(0, name.size() - ending.size()), std::string(ending)};
  return {name, ""};
}

}  // namespace

std::span<const GgufArchitecture> gguf_architectures() { return kArchitectures; }

const GgufArchitecture& gguf_architecture(const json& metadata,
                                          const std::set<std::string>& tensors) {
  const auto at = metadata.find("general.architecture");
  if (at == metadata.end() || !at->is_string())
    throw BadInput("key \"general.architecture\" " +
                   std::string(at == metadata.end() ? "is missing" : "should be a text"));
  const auto name = at->get<std::string>();
  const auto found = std::ranges::find_if(kArchitectures, [&](const GgufArchitecture& known) {
    return known.name == name && applies(known, metadata, tensors);
  });
  if (found == kArchitectures.end()) refuse_architecture(name);
  return *found;
}

std::string family_name(const GgufArchitecture& architecture, const std::string& name) {
  const auto [stem, ending] = without_ending(name);
  const PlainName plain = without_numbers(stem), whole = without_numbers(name);
  for (const std::span<const GgufName> names : architecture.tensors) {
    if (const auto found = std::ranges::find(names, whole.name, &GgufName::gguf);
        found != names.end())
      return with_numbers(found->other, whole.numbers);
    if (const auto found = std::ranges::find(names, plain.name, &GgufName::gguf);
        !ending.empty() && found != names.end())
      return with_numbers(found->other, plain.numbers) + ending;
  }
  return name;
}

const GgufStack* gguf_stack(const GgufArchitecture& architecture, const std::string& name) {
  const auto [stem, ending] = without_ending(name);
  if (ending.empty()) return nullptr;
  const auto found =
      std::ranges::find(architecture.stacks, without_numbers(stem).name, &GgufStack::gguf);
  return found == architecture.stacks.end() ? nullptr : &*found;
}

int layer_of(const std::string& name) {
  constexpr std::string_view kBlock = "blk.";
  constexpr std::size_t kDigits = 9;  // that surely fit
  if (!name.starts_with(kBlock)) return -1;
  const std::size_t end = name.find_first_not_of("0123456789", kBlock.size());
  if (end == name.npos || end == kBlock.size() || end - kBlock.size() > kDigits) return -1;
  return std::stoi(name.substr(kBlock.size(), end - kBlock.size()));
}

std::string numbered(std::string_view name, int layer, int expert) {
  const std::array numbers{std::to_string(layer), std::to_string(expert)};
  return with_numbers(name, numbers);
}

}  // namespace lab::files
