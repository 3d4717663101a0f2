#pragma once

#include <functional>

#include "app/files/model/config_reader.h"
#include "app/files/model/description.h"
#include "app/files/model/rotary_config.h"

// How each family spells its config.json, and what several of them share. What a function does not
// set is the same in all, see description.h. All throw BadInput, with the member's name.

namespace lab::files {

/// Limits of what is computed before a tensor confirms it.
inline constexpr attention::Index kMostLayers = 1024, kMostHeads = 1024, kMostExperts = 4096;

/// The activation called `spelt`, which the member `name` said.
attention::network::Activation activation_called(const ConfigReader& config, const char* name,
                                                 const std::string& spelt);
/// The activation that the member `name` means; `default_value` when it is missing. Names are those
/// of transformers' ACT2FN; laplace, sqrtsoftplus, prelu and xielu are refused.
attention::network::Activation read_activation(const ConfigReader& config, const char* name,
                                               const char* default_value);
/// The epsilon of a norm, from 0 to 1.
float read_epsilon(const ConfigReader& config, const char* name, double default_value);
/// Sets n_heads from the member `name`, which is `default_value` when it is missing, and n_kv_heads
/// and head_dim as they follow from it in most families.
void set_heads(const ConfigReader& config, const char* name, attention::Index default_value,
               Description& description);
/// Refuses heads that do not divide d_model, as the reference does in most families.
void check_whole_heads(const ConfigReader& config, const char* name,
                       const Description& description);
/// Sets every layer to the score factor 1 / √head_dim, without a window.
void set_layers(Description& description);
/// Marks the layers that layer_types says are sliding, or `is_sliding` does where it is missing,
/// and gives them the window, which they need.
void set_windows(const ConfigReader& config, Description& description, attention::Index window,
                 const std::function<bool(attention::Index)>& is_sliding);
/// Refuses heads that are too large for a table of rotary positions.
void check_rotated_heads(const ConfigReader& config, const Description& description);
/// Sets rotary positions in every layer; those of another type may have their own.
void set_rotary(const ConfigReader& config, Description& description,
                const RotarySpelling& spelling = {});

// One function for each family; the comments say what is particular about it.

/// An encoder: norms after each sublayer, learned positions, token types.
void describe_bert(const ConfigReader& config, Description& description);
/// BERT with positions that begin after that of the padding.
void describe_roberta(const ConfigReader& config, Description& description);
/// RoBERTa with another default vocabulary.
void describe_xlm_roberta(const ConfigReader& config, Description& description);
/// BERT's blocks without token types, under other names.
void describe_distilbert(const ConfigReader& config, Description& description);
/// An encoder and a decoder, norms after each sublayer, learned positions.
void describe_bart(const ConfigReader& config, Description& description);
/// BART's blocks with sinusoidal positions; the stacks may have separate embeddings.
void describe_marian(const ConfigReader& config, Description& description);
/// BART with norms before each sublayer and one at the end.
void describe_mbart(const ConfigReader& config, Description& description);
/// mBART's blocks with sinusoidal positions.
void describe_pegasus(const ConfigReader& config, Description& description);
/// An encoder and a decoder: RMS norms, buckets of distances, no biases, ReLU unless it says so.
void describe_t5(const ConfigReader& config, Description& description);
/// T5 with gated GELU, and without a scale of the output.
void describe_mt5(const ConfigReader& config, Description& description);
/// mT5 with a table of distances in each layer, and T5's scale of the output.
void describe_umt5(const ConfigReader& config, Description& description);
/// mBART's blocks with sinusoidal positions, sines and cosines in halves.
void describe_m2m_100(const ConfigReader& config, Description& description);
/// BERT whose embeddings may be narrower than its stream.
void describe_electra(const ConfigReader& config, Description& description);
/// BERT with rotary positions of adjacent pairs.
void describe_roformer(const ConfigReader& config, Description& description);
/// BERT whose layers share their weights, in groups, and whose embeddings are narrower.
void describe_albert(const ConfigReader& config, Description& description);
/// BERT without token types, whose scores also have a bias by buckets of distances.
void describe_mpnet(const ConfigReader& config, Description& description);
/// BERT whose scores are also by distance: of queries and keys with keys and queries of distances.
void describe_deberta(const ConfigReader& config, Description& description);
/// DeBERTa with buckets of distances and a convolution after the first block.
void describe_deberta_v2(const ConfigReader& config, Description& description);
/// An encoder with norms before each sublayer, a gated MLP, rotary positions and windows.
void describe_modernbert(const ConfigReader& config, Description& description);
/// GPT-J with Q, V and K side by side in four parts.
void describe_codegen(const ConfigReader& config, Description& description);
/// ALiBi, and a norm after the embedding.
void describe_bloom(const ConfigReader& config, Description& description);
/// Parallel blocks with rotary positions or ALiBi; one key head for all, for groups, or for each.
void describe_falcon(const ConfigReader& config, Description& description);
/// Llama with a window in the layers that layer_types names, or in all.
void describe_ministral(const ConfigReader& config, Description& description);
/// Llama with a window if it says so; texts only up to where it would scale queries.
void describe_ministral3(const ConfigReader& config, Description& description);
/// Norms of what each sublayer gives, and of queries and keys; layers without a window have no
/// positions.
void describe_exaone4(const ConfigReader& config, Description& description);
/// Norms of what each sublayer gives, and of the queries and the keys of all heads together.
void describe_olmo2(const ConfigReader& config, Description& description);
/// OLMo 2 with a window in three of four layers; only the others have scaled rotary positions.
void describe_olmo3(const ConfigReader& config, Description& description);
/// Llama with experts, and norms of the queries and the keys of all heads together.
void describe_olmoe(const ConfigReader& config, Description& description);
/// LayerNorms of weight + 1, squared ReLU without a gate, half of each head rotated.
void describe_nemotron(const ConfigReader& config, Description& description);
/// Norms without weights, also of queries and keys, squared ReLU, a cap of logits.
void describe_nanochat(const ConfigReader& config, Description& description);
/// Norms before each sublayer, learned positions, GELU.
void describe_gpt2(const ConfigReader& config, Description& description);
/// GPT-2 without biases of Q, K and V or a score factor; local layers have a window.
void describe_gpt_neo(const ConfigReader& config, Description& description);
/// Parallel blocks with two norms, the first quarter of each head rotated.
void describe_gpt_neox(const ConfigReader& config, Description& description);
/// Parallel blocks with one norm, rotary positions of adjacent pairs, a biased read-out.
void describe_gptj(const ConfigReader& config, Description& description);
/// GPT-2 with a scaled embedding, whose positions begin at 2.
void describe_biogpt(const ConfigReader& config, Description& description);
/// ReLU, positions that begin at 2, norms before or after, embeddings that may be narrower.
void describe_opt(const ConfigReader& config, Description& description);
/// RMS norms, SiLU with a gate, rotary positions, no biases unless it says so.
void describe_llama(const ConfigReader& config, Description& description);
/// Llama with groups of heads and a window in every layer.
void describe_mistral(const ConfigReader& config, Description& description);
/// Llama with biases of Q, K and V, and a window in the upper layers if it says so.
void describe_qwen2(const ConfigReader& config, Description& description);
/// Qwen2 with norms of queries and keys in place of the biases.
void describe_qwen3(const ConfigReader& config, Description& description);
/// RMS norms of weight + 1, GELU with a gate, an embedding times √d_model.
void describe_gemma(const ConfigReader& config, Description& description);
/// Gemma with norms before and after, caps of scores and logits, a window in every other layer.
void describe_gemma2(const ConfigReader& config, Description& description);
/// Gemma 2 with norms of queries and keys, and another base in sliding layers; caps only if
/// it says so.
void describe_gemma3(const ConfigReader& config, Description& description);
/// Mistral with experts in place of the MLP.
void describe_mixtral(const ConfigReader& config, Description& description);
/// Qwen2 with experts, and a gated MLP that every row passes.
void describe_qwen2_moe(const ConfigReader& config, Description& description);
/// Qwen3 with experts.
void describe_qwen3_moe(const ConfigReader& config, Description& description);
/// Experts chosen by sigmoids and a correction, in groups, with an MLP for every row; half of each
/// head rotated.
void describe_glm4_moe(const ConfigReader& config, Description& description);
/// Qwen2 with a sink of each head, a window in every other layer, and experts with clamped gates.
void describe_gpt_oss(const ConfigReader& config, Description& description);
/// Multi-head latent attention, experts chosen by a softmax, in groups or not, beside an MLP for
/// every row; the first layers have MLPs.
void describe_deepseek_v2(const ConfigReader& config, Description& description);
/// The same with experts chosen by sigmoids and a correction, in groups.
void describe_deepseek_v3(const ConfigReader& config, Description& description);
/// Parallel blocks with one LayerNorm without a bias, scaled logits, rotary positions of adjacent
/// pairs.
void describe_cohere(const ConfigReader& config, Description& description);
/// The same with windows; layers without one have no positions.
void describe_cohere2(const ConfigReader& config, Description& description);
/// Llama with norms before and after, half of each head rotated in adjacent pairs.
void describe_glm4(const ConfigReader& config, Description& description);
/// Llama whose embedding, branches, scores and logits are multiplied.
void describe_granite(const ConfigReader& config, Description& description);
/// Llama with rotary positions of adjacent pairs.
void describe_helium(const ConfigReader& config, Description& description);
/// Parallel blocks with one LayerNorm, GELU without a gate, half of each head rotated.
void describe_phi(const ConfigReader& config, Description& description);
/// Llama with a window and heads rotated in part if it says so.
void describe_phi3(const ConfigReader& config, Description& description);
/// Llama with every fourth layer without positions.
void describe_smollm3(const ConfigReader& config, Description& description);
/// Llama with LayerNorms, a quarter of each head rotated, parallel if it says so.
void describe_stablelm(const ConfigReader& config, Description& description);
/// LayerNorms, biases, GELU without a gate, rotary positions, a window if it says so.
void describe_starcoder2(const ConfigReader& config, Description& description);

}  // namespace lab::files
