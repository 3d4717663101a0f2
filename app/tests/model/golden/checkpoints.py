"""The small checkpoints: one for each family, and one more for each setting that changes what is computed."""

from dataclasses import dataclass, field
from typing import Callable

import torch
import transformers as hf

VOCABULARY, POSITIONS = 37, 64


@dataclass
class Checkpoint:
    """How one is made and stored."""

    model_class: type
    config_class: type
    settings: dict
    stored: torch.dtype = torch.float32
    shards: str = ""
    version_4: bool = False
    old_norm_names: bool = False
    untied: bool = False  # gives a T5 a read-out of its own, which its settings cannot
    shaken_buffer: str = "final_logits_bias"  # how the names of buffers end that get random numbers as weights do
    interventions: list = field(default_factory=list)  # [sublayer, layer, head] that they are about

    @property
    def eager(self):
        """How attention and experts are computed: as written down, in the type of the weights."""
        experts = any("experts" in key for key in self.settings)
        return {"attn_implementation": "eager"} | ({"experts_implementation": "eager"} if experts else {})

    def model(self):
        torch.manual_seed(0)
        return self.model_class(self.config_class(vocab_size=VOCABULARY, **self.eager, **self.settings))


def gpt2(**more):
    return dict(n_positions=POSITIONS, n_embd=16, n_layer=2, bos_token_id=0, eos_token_id=0) | more


def neox(**more):
    return dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
                max_position_embeddings=POSITIONS) | more


def opt(**more):
    return dict(hidden_size=16, ffn_dim=20, num_hidden_layers=2, num_attention_heads=2,
                max_position_embeddings=POSITIONS, word_embed_proj_dim=16, pad_token_id=1) | more


def llama(**more):
    return dict(hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                max_position_embeddings=128) | more


def rope(kind, **more):
    """A small base, so that every pair of features turns visibly within 60 positions."""
    return dict(num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=256, tie_word_embeddings=True,
                rope_parameters={"rope_type": kind, "rope_theta": 100.0, **more})


def falcon(**more):
    return dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, ffn_hidden_size=20,
                max_position_embeddings=POSITIONS, bos_token_id=1, eos_token_id=2) | more


def llama_like(**more):
    """Two heads that share their keys and values; special tokens within the vocabulary."""
    return llama(num_attention_heads=2, num_key_value_heads=1, pad_token_id=0, bos_token_id=1, eos_token_id=2) | more


def latent(**more):
    return llama_like(num_attention_heads=3, num_key_value_heads=3, hidden_size=18, kv_lora_rank=6, qk_nope_head_dim=6,
                      qk_rope_head_dim=4, v_head_dim=7, n_routed_experts=6, num_experts_per_tok=2,
                      moe_intermediate_size=6, routed_scaling_factor=1.5) | more


def yarn_of_scores(mscale, mscale_all_dim):
    """Sines and cosines are multiplied by a quotient of both, scores by the second."""
    return {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 64,
            "beta_fast": 2.0, "beta_slow": 1.0, "mscale": mscale, "mscale_all_dim": mscale_all_dim}


def partly_rotated(part, **more):
    return dict(rope_parameters={"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": part}) | more


def gemma(**more):
    return llama(num_attention_heads=2, num_key_value_heads=1, head_dim=12, query_pre_attn_scalar=20, sliding_window=6,
                 pad_token_id=0, bos_token_id=1, eos_token_id=2) | more


def bert(**more):
    return dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
                max_position_embeddings=POSITIONS) | more


def bart(**more):
    return dict(d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=4,
                encoder_ffn_dim=20, decoder_ffn_dim=24, max_position_embeddings=POSITIONS, pad_token_id=1,
                bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None) | more


def t5(**more):
    return dict(d_model=16, d_ff=20, num_layers=2, num_decoder_layers=1, num_heads=2, relative_attention_num_buckets=8,
                relative_attention_max_distance=16, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1) | more


CHECKPOINTS = {
    "gpt2": Checkpoint(hf.GPT2LMHeadModel, hf.GPT2Config, gpt2(n_head=4, n_inner=20), interventions=["self", 1, 2]),
    "gpt2-scaled-by-layer": Checkpoint(
        hf.GPT2LMHeadModel, hf.GPT2Config,
        gpt2(n_head=2, n_inner=24, scale_attn_by_inverse_layer_idx=True, tie_word_embeddings=False),
        stored=torch.float16),
    "gpt-neo": Checkpoint(hf.GPTNeoForCausalLM, hf.GPTNeoConfig, dict(
        max_position_embeddings=POSITIONS, hidden_size=16, num_layers=2, num_heads=2, intermediate_size=20,
        attention_types=[[["global", "local"], 1]], window_size=5, bos_token_id=0, eos_token_id=0)),
    "gpt-neox": Checkpoint(hf.GPTNeoXForCausalLM, hf.GPTNeoXConfig, neox(
        rope_parameters={"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.25}),
        version_4=True, stored=torch.bfloat16),
    "gpt-neox-serial": Checkpoint(hf.GPTNeoXForCausalLM, hf.GPTNeoXConfig, neox(
        hidden_size=16, use_parallel_residual=False,
        rope_parameters={"rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.5}),
        version_4=True, stored=torch.float16),
    "gptj": Checkpoint(hf.GPTJForCausalLM, hf.GPTJConfig, gpt2(n_head=2, rotary_dim=4, n_inner=20),
                       interventions=["self", 1, 0]),
    "biogpt": Checkpoint(hf.BioGptForCausalLM, hf.BioGptConfig, bert(), stored=torch.float16),
    "codegen": Checkpoint(hf.CodeGenForCausalLM, hf.CodeGenConfig, gpt2(n_head=8, rotary_dim=2, n_inner=20),
                          interventions=["self", 1, 5]),
    "bloom": Checkpoint(hf.BloomForCausalLM, hf.BloomConfig, dict(
        hidden_size=18, n_layer=2, n_head=3, pad_token_id=0, bos_token_id=1, eos_token_id=2), stored=torch.float16,
        interventions=["self", 0, 2]),
    "falcon": Checkpoint(hf.FalconForCausalLM, hf.FalconConfig, falcon()),
    "falcon-new": Checkpoint(hf.FalconForCausalLM, hf.FalconConfig, falcon(
        num_attention_heads=4, num_kv_heads=2, new_decoder_architecture=True, bias=True), stored=torch.bfloat16,
        interventions=["self", 1, 3]),
    "falcon-alibi": Checkpoint(hf.FalconForCausalLM, hf.FalconConfig, falcon(
        hidden_size=18, num_attention_heads=3, alibi=True, multi_query=False, parallel_attn=False)),
    "opt": Checkpoint(hf.OPTForCausalLM, hf.OPTConfig, opt()),
    "opt-projected": Checkpoint(hf.OPTForCausalLM, hf.OPTConfig, opt(
        do_layer_norm_before=False, word_embed_proj_dim=12), stored=torch.float16),
    "llama": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(tie_word_embeddings=True), version_4=True,
                        interventions=["self", 0, 3]),
    "llama-untied": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(num_attention_heads=2, num_key_value_heads=2),
                               stored=torch.bfloat16),
    "llama-llama3": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope(
        "llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)),
        version_4=True),
    "llama-linear": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope("linear", factor=3.0)),
                               version_4=True, stored=torch.float16),
    "llama-dynamic": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(
        **rope("dynamic", factor=2.0) | {"max_position_embeddings": 32})),
    "llama-yarn": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope(
        "yarn", factor=4.0, beta_fast=2.0, beta_slow=1.0, original_max_position_embeddings=64)),
        version_4=True, stored=torch.bfloat16),
    "llama-sharded": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=12), shards="10KB"),
    "mistral": Checkpoint(hf.MistralForCausalLM, hf.MistralConfig, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=8, sliding_window=6), version_4=True),
    "qwen2": Checkpoint(hf.Qwen2ForCausalLM, hf.Qwen2Config, llama(
        num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True), version_4=True),
    "qwen2-window": Checkpoint(hf.Qwen2ForCausalLM, hf.Qwen2Config, llama(
        num_attention_heads=2, num_key_value_heads=1, use_sliding_window=True, max_window_layers=1, sliding_window=7),
        version_4=True),
    "qwen3": Checkpoint(hf.Qwen3ForCausalLM, hf.Qwen3Config, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=10, tie_word_embeddings=True), version_4=True),
    "mixtral": Checkpoint(hf.MixtralForCausalLM, hf.MixtralConfig, llama_like(
        num_local_experts=5, num_experts_per_tok=2, intermediate_size=10), interventions=["self", 1, 0]),
    "qwen2-moe": Checkpoint(hf.Qwen2MoeForCausalLM, hf.Qwen2MoeConfig, llama_like(
        num_hidden_layers=3, num_experts=4, num_experts_per_tok=3, moe_intermediate_size=6,
        shared_expert_intermediate_size=10, mlp_only_layers=[1]), stored=torch.bfloat16),
    "qwen3-moe": Checkpoint(hf.Qwen3MoeForCausalLM, hf.Qwen3MoeConfig, llama_like(
        num_experts=5, num_experts_per_tok=2, moe_intermediate_size=6, norm_topk_prob=True), shards="20KB"),
    "glm4-moe": Checkpoint(hf.Glm4MoeForCausalLM, hf.Glm4MoeConfig, llama_like(
        n_routed_experts=6, num_experts_per_tok=2, moe_intermediate_size=6, n_group=3, topk_group=2,
        routed_scaling_factor=1.5, use_qk_norm=True, attention_bias=True, **partly_rotated(0.5))),
    "gpt-oss": Checkpoint(hf.GptOssForCausalLM, hf.GptOssConfig, llama_like(
        num_attention_heads=4, num_key_value_heads=2, head_dim=8, intermediate_size=10, num_local_experts=5,
        num_experts_per_tok=2, sliding_window=6, max_position_embeddings=1200, rope_parameters={
            "rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 300,
            "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}),
        stored=torch.bfloat16, interventions=["self", 1, 2]),
    # Values and the two parts of queries have widths of their own; heads are rotated at their end.
    "deepseek-v2": Checkpoint(hf.DeepseekV2ForCausalLM, hf.DeepseekV2Config, latent(
        q_lora_rank=None, n_group=3, topk_group=2, topk_method="group_limited_greedy", n_shared_experts=2,
        first_k_dense_replace=1), interventions=["self", 1, 2]),
    "deepseek-v2-biases": Checkpoint(hf.DeepseekV2ForCausalLM, hf.DeepseekV2Config, latent(
        q_lora_rank=8, topk_method="greedy", n_shared_experts=1, first_k_dense_replace=0, num_hidden_layers=1,
        attention_bias=True, mlp_bias=True), stored=torch.float16),
    "deepseek-v3": Checkpoint(hf.DeepseekV3ForCausalLM, hf.DeepseekV3Config, latent(
        q_lora_rank=7, n_group=2, topk_group=1, n_shared_experts=1, first_k_dense_replace=1, norm_topk_prob=True,
        rope_parameters=yarn_of_scores(0.8, 0.8)), shaken_buffer="e_score_correction_bias",
        interventions=["self", 0, 1]),
    "deepseek-v3-halves": Checkpoint(hf.DeepseekV3ForCausalLM, hf.DeepseekV3Config, latent(
        q_lora_rank=6, n_group=1, topk_group=1, n_shared_experts=1, first_k_dense_replace=0, num_hidden_layers=1,
        norm_topk_prob=False, attention_bias=True, rope_interleave=False, rope_parameters=yarn_of_scores(1.0, 0.5)),
        stored=torch.bfloat16, shaken_buffer="e_score_correction_bias"),
    "lfm2": Checkpoint(hf.Lfm2ForCausalLM, hf.Lfm2Config, llama_like(
        num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, intermediate_size=21, block_multiple_of=4,
        block_ffn_dim_multiplier=1.3, layer_types=["conv", "full_attention", "conv", "full_attention"],
        rope_parameters={"rope_type": "default", "rope_theta": 100.0}),
        interventions=["self", 1, 2]),
    "lfm2-biases": Checkpoint(hf.Lfm2ForCausalLM, hf.Lfm2Config, llama_like(
        conv_bias=True, conv_L_cache=5, full_attn_idxs=[0], block_auto_adjust_ff_dim=False, tie_word_embeddings=False),
        stored=torch.float16),
    "lfm2-moe": Checkpoint(hf.Lfm2MoeForCausalLM, hf.Lfm2MoeConfig, llama_like(
        num_hidden_layers=3, layer_types=["full_attention", "conv", "full_attention"], num_dense_layers=1,
        num_experts=5, num_experts_per_tok=2, moe_intermediate_size=6, routed_scaling_factor=1.5),
        shaken_buffer="expert_bias", stored=torch.bfloat16, interventions=["self", 2, 1]),
    "smollm3": Checkpoint(hf.SmolLM3ForCausalLM, hf.SmolLM3Config, llama_like(
        num_hidden_layers=4, use_sliding_window=True, sliding_window=6), version_4=True,
        stored=torch.bfloat16, interventions=["self", 1, 1]),
    "ministral": Checkpoint(hf.MinistralForCausalLM, hf.MinistralConfig, llama_like(
        head_dim=8, sliding_window=6, layer_types=["sliding_attention", "full_attention"]), stored=torch.float16),
    "ministral3": Checkpoint(hf.Ministral3ForCausalLM, hf.Ministral3Config, llama_like(head_dim=8, rope_parameters={
        "rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 64,
        "beta_fast": 2.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 0.5, "llama_4_scaling_beta": 0.1})),
    "exaone4": Checkpoint(hf.Exaone4ForCausalLM, hf.Exaone4Config, llama_like(
        num_hidden_layers=4, sliding_window=6, sliding_window_pattern=4), stored=torch.bfloat16,
        interventions=["self", 3, 1]),
    "olmo2": Checkpoint(hf.Olmo2ForCausalLM, hf.Olmo2Config, llama_like(num_attention_heads=4, num_key_value_heads=2),
                        version_4=True, interventions=["self", 0, 3]),
    "olmo3": Checkpoint(hf.Olmo3ForCausalLM, hf.Olmo3Config, llama_like(
        num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, sliding_window=6, rope_parameters={
            "full_attention": {"rope_type": "yarn", "rope_theta": 500000.0, "factor": 4.0, "beta_fast": 2.0,
                               "beta_slow": 1.0, "original_max_position_embeddings": 32},
            "sliding_attention": {"rope_type": "default", "rope_theta": 500000.0}}), version_4=True,
        stored=torch.bfloat16, interventions=["self", 3, 1]),
    "olmoe": Checkpoint(hf.OlmoeForCausalLM, hf.OlmoeConfig, llama_like(
        num_attention_heads=4, num_key_value_heads=2, num_experts=5, num_experts_per_tok=2, intermediate_size=10),
        stored=torch.float16, interventions=["self", 1, 2]),
    "nemotron": Checkpoint(hf.NemotronForCausalLM, hf.NemotronConfig, llama_like(**partly_rotated(0.5)),
                           interventions=["self", 0, 1]),
    "nanochat": Checkpoint(hf.NanoChatForCausalLM, hf.NanoChatConfig, llama_like(), interventions=["self", 1, 0]),
    "granite": Checkpoint(hf.GraniteForCausalLM, hf.GraniteConfig, llama_like(
        attention_multiplier=0.31, embedding_multiplier=3.0, residual_multiplier=0.7, logits_scaling=2.5),
        version_4=True, interventions=["self", 0, 1]),
    "helium": Checkpoint(hf.HeliumForCausalLM, hf.HeliumConfig, llama_like(head_dim=8), version_4=True,
                         stored=torch.bfloat16),
    "glm4": Checkpoint(hf.Glm4ForCausalLM, hf.Glm4Config, llama_like(head_dim=8, **partly_rotated(0.5)), version_4=True,
                       interventions=["self", 0, 0]),
    "cohere": Checkpoint(hf.CohereForCausalLM, hf.CohereConfig, llama_like(logit_scale=0.3), version_4=True,
                         stored=torch.float16, interventions=["self", 1, 1]),
    "cohere2": Checkpoint(hf.Cohere2ForCausalLM, hf.Cohere2Config, llama_like(
        num_hidden_layers=4, logit_scale=0.3, sliding_window=6), version_4=True, stored=torch.bfloat16),
    "phi": Checkpoint(hf.PhiForCausalLM, hf.PhiConfig, llama_like(**partly_rotated(0.5)), version_4=True,
                      interventions=["self", 1, 0]),
    "phi3": Checkpoint(hf.Phi3ForCausalLM, hf.Phi3Config, llama_like(sliding_window=6), version_4=True,
                       stored=torch.float16, interventions=["self", 1, 1]),
    "phi3-longrope": Checkpoint(hf.Phi3ForCausalLM, hf.Phi3Config, llama_like(
        num_key_value_heads=2, original_max_position_embeddings=32, rope_parameters={
            "rope_type": "longrope", "rope_theta": 100.0, "partial_rotary_factor": 0.75, "short_factor": [1.0, 1.3, 2.1],
            "long_factor": [1.5, 3.0, 4.0]}), version_4=True, stored=torch.bfloat16),
    "stablelm": Checkpoint(hf.StableLmForCausalLM, hf.StableLmConfig, llama_like(
        use_qkv_bias=True, **partly_rotated(0.25)), version_4=True, stored=torch.float16),
    "stablelm-parallel": Checkpoint(hf.StableLmForCausalLM, hf.StableLmConfig, llama_like(
        use_parallel_residual=True, **partly_rotated(0.5)), stored=torch.bfloat16),
    "starcoder2": Checkpoint(hf.Starcoder2ForCausalLM, hf.Starcoder2Config, llama_like(sliding_window=7),
                             version_4=True),
    "gemma": Checkpoint(hf.GemmaForCausalLM, hf.GemmaConfig, llama_like(head_dim=12), version_4=True,
                        stored=torch.bfloat16),
    "gemma2": Checkpoint(hf.Gemma2ForCausalLM, hf.Gemma2Config, gemma(
        attn_logit_softcapping=3.0, final_logit_softcapping=2.5), version_4=True, interventions=["self", 1, 1]),
    "gemma3": Checkpoint(hf.Gemma3ForCausalLM, hf.Gemma3TextConfig, gemma(
        num_hidden_layers=6, head_dim=8, intermediate_size=12, sliding_window=5, rope_parameters={
            "full_attention": {"rope_type": "linear", "rope_theta": 900.0, "factor": 2.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}), version_4=True, stored=torch.bfloat16),
    "gemma4": Checkpoint(hf.Gemma4ForCausalLM, hf.Gemma4TextConfig, dict(
        hidden_size=16, intermediate_size=12, num_hidden_layers=5, num_attention_heads=4, num_key_value_heads=2, head_dim=6,
        global_head_dim=16, max_position_embeddings=128, sliding_window=5, num_kv_shared_layers=2,
        use_double_wide_mlp=True, hidden_size_per_layer_input=4, vocab_size_per_layer_input=VOCABULARY,
        final_logit_softcapping=2.5, attention_bias=True, rope_parameters={
            "full_attention": {"rope_type": "proportional", "rope_theta": 100.0, "partial_rotary_factor": 0.25},
            "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}, layer_types=[
                "sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"]),
        stored=torch.bfloat16, shaken_buffer="layer_scalar", interventions=["self", 3, 2]),
    "gemma4-moe": Checkpoint(hf.Gemma4ForCausalLM, hf.Gemma4TextConfig, dict(
        hidden_size=16, intermediate_size=12, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=6,
        global_head_dim=8, num_global_key_value_heads=1, attention_k_eq_v=True, max_position_embeddings=128,
        sliding_window=5, hidden_size_per_layer_input=0, enable_moe_block=True, num_experts=5, top_k_experts=2,
        moe_intermediate_size=6, layer_types=["sliding_attention", "full_attention"]),
        shaken_buffer="layer_scalar", interventions=["self", 1, 1]),
    "bert": Checkpoint(hf.BertForMaskedLM, hf.BertConfig, bert(), old_norm_names=True, version_4=True,
                       interventions=["self", 0, 1]),
    "bert-without-head": Checkpoint(hf.BertModel, hf.BertConfig, bert(num_attention_heads=4),
                                    stored=torch.float16),
    "roberta": Checkpoint(hf.RobertaForMaskedLM, hf.RobertaConfig, bert(
        max_position_embeddings=POSITIONS + 2, pad_token_id=1, bos_token_id=0, eos_token_id=2, type_vocab_size=1),
        stored=torch.bfloat16),
    "xlm-roberta": Checkpoint(hf.XLMRobertaForMaskedLM, hf.XLMRobertaConfig, bert(
        max_position_embeddings=POSITIONS + 2, pad_token_id=1, bos_token_id=0, eos_token_id=2, type_vocab_size=1),
        stored=torch.float16),
    "electra": Checkpoint(hf.ElectraForMaskedLM, hf.ElectraConfig, bert(embedding_size=12, hidden_act="silu"),
                          stored=torch.float16, interventions=["self", 1, 1]),
    "roformer": Checkpoint(hf.RoFormerForMaskedLM, hf.RoFormerConfig, bert(embedding_size=16)),
    "albert": Checkpoint(hf.AlbertForMaskedLM, hf.AlbertConfig, bert(
        num_hidden_layers=3, num_hidden_groups=2, inner_group_num=2, embedding_size=8, hidden_act="gelu_new")),
    "mpnet": Checkpoint(hf.MPNetForMaskedLM, hf.MPNetConfig, bert(
        max_position_embeddings=POSITIONS + 2, pad_token_id=1, bos_token_id=0, eos_token_id=2,
        relative_attention_num_buckets=40), interventions=["self", 0, 1]),
    # Texts of 60 go far past the distances that have rows of their own.
    "deberta": Checkpoint(hf.DebertaForMaskedLM, hf.DebertaConfig, bert(
        relative_attention=True, max_relative_positions=20, pos_att_type=["c2p", "p2c"], position_biased_input=False),
        interventions=["self", 0, 1]),
    "deberta-narrow": Checkpoint(hf.DebertaForMaskedLM, hf.DebertaConfig, bert(
        embedding_size=12, type_vocab_size=2, relative_attention=True, pos_att_type=["c2p"], hidden_act="silu"),
        stored=torch.float16),
    "deberta-v2": Checkpoint(hf.DebertaV2ForMaskedLM, hf.DebertaV2Config, bert(
        relative_attention=True, position_buckets=8, share_att_key=True, pos_att_type=["p2c", "c2p"],
        norm_rel_ebd="layer_norm", position_biased_input=False, conv_kernel_size=3, conv_act="gelu"),
        interventions=["self", 0, 1]),
    "deberta-v2-own": Checkpoint(hf.DebertaV2ForMaskedLM, hf.DebertaV2Config, bert(
        relative_attention=True, max_relative_positions=10, pos_att_type=["c2p", "p2c"], type_vocab_size=3,
        conv_kernel_size=5, conv_groups=2, legacy=False), stored=torch.bfloat16, interventions=["self", 1, 0]),
    "modernbert": Checkpoint(hf.ModernBertForMaskedLM, hf.ModernBertConfig, dict(
        hidden_size=16, intermediate_size=20, num_hidden_layers=4, num_attention_heads=2, local_attention=10,
        max_position_embeddings=POSITIONS, pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1,
        sep_token_id=2), interventions=["self", 1, 1]),
    "distilbert": Checkpoint(hf.DistilBertForMaskedLM, hf.DistilBertConfig, dict(
        dim=16, n_layers=2, n_heads=2, hidden_dim=20, max_position_embeddings=POSITIONS),
        stored=torch.float16),
    "bart": Checkpoint(hf.BartForConditionalGeneration, hf.BartConfig, bart(), stored=torch.float16,
                       interventions=["cross", 1, 2]),
    "mbart": Checkpoint(hf.MBartForConditionalGeneration, hf.MBartConfig, bart(scale_embedding=True),
                        interventions=["cross", 0, 1]),
    "m2m-100": Checkpoint(hf.M2M100ForConditionalGeneration, hf.M2M100Config, bart(pad_token_id=1, scale_embedding=True),
                          interventions=["cross", 0, 1]),
    "pegasus": Checkpoint(hf.PegasusForConditionalGeneration, hf.PegasusConfig, bart(pad_token_id=0, eos_token_id=1)),
    "marian": Checkpoint(hf.MarianMTModel, hf.MarianConfig, bart(
        encoder_layers=2, decoder_layers=1, decoder_attention_heads=2, scale_embedding=True,
        activation_function="swish"),
        stored=torch.bfloat16),
    "t5": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(d_kv=8, feed_forward_proj="relu"),
                     interventions=["encoder", 0, 1]),
    "t5-gated": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(
        d_kv=6, feed_forward_proj="gated-gelu", num_layers=1, num_decoder_layers=2, tie_word_embeddings=False),
        untied=True, version_4=True, stored=torch.float16),
    "mt5": Checkpoint(hf.MT5ForConditionalGeneration, hf.MT5Config, t5(d_kv=6), stored=torch.float16),
    "umt5": Checkpoint(hf.UMT5ForConditionalGeneration, hf.UMT5Config, t5(d_kv=6, num_layers=2, num_decoder_layers=2),
                       interventions=["encoder", 1, 1]),
    # Nothing divides anything: d_kv is not d_model / heads, half of the buckets is odd, texts of 60 go far past the
    # largest distance.
    "t5-odd": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(
        d_model=18, d_kv=5, num_heads=3, d_ff=14, num_layers=3, num_decoder_layers=2, feed_forward_proj="gated-gelu",
        relative_attention_num_buckets=10, relative_attention_max_distance=23), stored=torch.bfloat16, version_4=True,
        interventions=["encoder", 2, 1]),
}
