"""Writes varied.json and varied.safetensors: what transformers makes of the small checkpoints here when members of their
config.json are missing, null, spelt in a second way or changed, and when tied tensors are stored under other names.

    python3 make_varied.py                               writes both files
    python3 make_varied.py --random N PROGRAM [SEED]     compares N random combinations with PROGRAM compute

A case changes one checkpoint: `set` and `remove` members of config.json, `tensors` is a list of [operation, name, name];
what changes nothing is left out.
Its `result` is "answer" when transformers computes something (varied.safetensors holds the last rows of attention and
logits), "refused" when it raises an error, and "missing" when it would have to invent weights. `why` says where the
program deliberately does something else. Needs torch and transformers from PyPI.
"""

import dataclasses
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import torch
import transformers
from checkpoints import CHECKPOINTS
from make_models import OUT, by_block, named, save
from precision import KeepDouble
from safetensors import safe_open
from safetensors.torch import load_file, save_file

MODELS = ["bert", "roberta", "distilbert", "gpt2", "gpt2-scaled-by-layer", "gpt-neo", "gpt-neox", "opt", "opt-projected",
          "llama", "llama-untied", "llama-yarn", "mistral", "qwen2", "qwen2-window", "qwen3", "smollm3", "granite",
          "phi", "phi3", "phi3-longrope", "stablelm", "stablelm-parallel", "starcoder2", "gemma", "gemma2", "gemma3",
          "bart", "marian", "t5", "t5-gated", "gptj", "biogpt", "codegen", "bloom", "falcon", "falcon-new", "falcon-alibi",
          "mixtral", "qwen2-moe", "qwen3-moe", "glm4-moe", "ministral", "ministral3", "exaone4", "nemotron", "nanochat",
          "helium", "glm4", "cohere", "cohere2", "xlm-roberta", "electra", "roformer", "albert", "mpnet", "modernbert",
          "mbart", "m2m-100", "pegasus", "mt5", "umt5", "gpt-oss", "olmo2", "olmo3", "deepseek-v2",
          "deepseek-v3", "gemma4", "gemma4-moe", "lfm2", "lfm2-biases", "lfm2-moe", "deberta", "deberta-v2"]
IDS, DECODER_IDS = [5, 9, 17, 3, 9, 22, 30, 2, 11, 28, 6], [2, 7, 12, 9, 30, 4]
IGNORED = ("transformers_version", "dtype", "torch_dtype", "architectures", "model_type", "_name_or_path", "id2label",
           "label2id", "return_dict", "output_hidden_states", "output_attentions", "torchscript", "problem_type",
           "chunk_size_feed_forward", "is_encoder_decoder", "num_labels", "tokenizer_class", "use_cache", "bos_token_id",
           "eos_token_id", "decoder_start_token_id", "forced_eos_token_id", "rope_parameters", "layer_types",
           "attention_types", "attention_layers", "per_layer_config", "pretraining_tp", "name_or_path")
ACTIVATIONS = ["gelu", "gelu_10", "gelu_fast", "gelu_new", "gelu_python", "gelu_pytorch_tanh", "gelu_python_tanh",
               "gelu_accurate", "hardswish", "leaky_relu", "linear", "mish", "quick_gelu", "relu", "relu2", "relu6",
               "sigmoid", "silu", "swish", "tanh", "laplace", "nothing"]
ROPES = [
    {"rope_scaling": None}, {"rope_parameters": None}, {"rope_parameters": {}}, {"rope_scaling": {}},
    {"rope_scaling": {"type": "linear", "factor": 2.0}}, {"rope_scaling": {"rope_type": "linear", "factor": 3.0}},
    {"rope_scaling": {"type": "linear"}}, {"rope_scaling": {"type": "linear", "factor": None}},
    {"rope_scaling": {"rope_type": "linear", "type": "yarn", "factor": 2.0}}, {"rope_theta": 77.0},
    {"rope_parameters": None, "rope_theta": 77.0}, {"rope_parameters": {"rope_type": "default"}, "rope_theta": 55.0},
    {"rope_parameters": {"rope_type": "default", "rope_theta": 33.0}, "rope_theta": 55.0},
    {"rope_parameters": {"rope_type": "default", "rope_theta": None}}, {"rope_parameters": None, "rope_theta": None},
    {"rope_parameters": {"rope_theta": 20.0}}, {"rope_parameters": {"rope_type": None, "rope_theta": 20.0}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}, {"rope_scaling": {"rope_type": "yarn"}},
    {"rope_scaling": {"rope_type": "yarn", "factor": None, "original_max_position_embeddings": 16}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "truncate": False}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "truncate": None}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 4,
                      "beta_slow": None}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "mscale": 1.0,
                      "mscale_all_dim": 0.5}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "mscale": 1.0, "mscale_all_dim": None}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.7}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                      "attention_factor": None}},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16},
     "original_max_position_embeddings": 8},
    {"rope_scaling": {"rope_type": "yarn", "factor": 0.5}},
    {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                      "original_max_position_embeddings": 16}},
    {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}},
    {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "high_freq_factor": 4.0}},
    {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0}},
    {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, {"rope_scaling": {"rope_type": "nothing"}},
    {"rope_scaling": {"rope_type": "default", "rope_theta": 44.0}},
    {"partial_rotary_factor": 0.5}, {"rope_scaling": {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 1.0}},
    {"rope_scaling": {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.5}},
    {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.3}},
    {"rotary_pct": 0.5}, {"rope_parameters": None, "rotary_pct": 0.5, "rotary_emb_base": 70},
    {"rope_parameters": None, "rotary_pct": 0.35}, {"rotary_emb_base": 70},
    {"rope_parameters": None, "rope_local_base_freq": 30.0}, {"rope_local_base_freq": 30.0},
    {"rope_parameters": None, "rope_theta": 500.0, "rope_local_base_freq": 30.0,
     "rope_scaling": {"rope_type": "linear", "factor": 8.0}},
    {"rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 300.0}}},
    {"rope_parameters": {"sliding_attention": {"rope_type": "default", "rope_theta": 300.0}}},
    {"rope_parameters": {"full_attention": {"rope_type": "yarn", "factor": 2.0, "rope_theta": 300.0},
                         "sliding_attention": {"rope_type": "default"}}},
    {"rope_parameters": {"full_attention": None, "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}},
]
EXTRA = {  # more changes of a model, or of all of a family
    "t5": [{"feed_forward_proj": p} for p in ("relu", "gelu", "gated-gelu", "gated-silu", "silu-gated", "gated-a-b")]
    + [{"dense_act_fn": "relu"}, {"dense_act_fn": "gelu", "feed_forward_proj": "gated-gelu"}, {"is_gated_act": False},
       {"tie_word_embeddings": False, "scale_decoder_outputs": True}, {"scale_decoder_outputs": False},
       {"tie_word_embeddings": True}, {"num_decoder_layers": None}],
    "gpt_neo": [{"attention_types": None, "attention_layers": None}, {"attention_types": [[["local"], 2]]},
                {"attention_layers": ["local", "local"]}, {"attention_layers": ["local"]},
                {"attention_layers": ["global", "other"]},
                {"attention_types": [[["global"], 2]], "attention_layers": ["local", "global"]}],
    "gpt2": [{"n_ctx": 7}, {"n_positions": 64, "n_ctx": 32}],
    "marian": [{"decoder_vocab_size": None}, {"decoder_vocab_size": 0}, {"normalize_before": True},
               {"static_position_embeddings": False}, {"share_encoder_decoder_embeddings": False}],
    "bart": [{"normalize_before": True}, {"static_position_embeddings": True}, {"extra_pos_embeddings": 3}],
    "bert": [{"position_embedding_type": "relative_key"}, {"embedding_size": 16}, {"pooler_type": "first"}],
    "roberta": [{"pad_token_id": p} for p in (0, 9, None)],
    "qwen2": [{"use_sliding_window": True, "sliding_window": None}, {"attention_bias": True},
              {"use_sliding_window": True, "max_window_layers": 0}, {"use_sliding_window": True, "max_window_layers": 1},
              {"use_sliding_window": True, "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]},
              {"sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]},
              {"layer_types": ["full_attention"]}, {"layer_types": ["full_attention", "chunked_attention"]},
              {"layer_types": ["full_attention", "other"]}, {"layer_types": None, "head_dim": None}],
    "gemma2": [{"layer_types": None}, {"sliding_window": None}, {"sliding_window": 3, "layer_types": None},
               {"hidden_act": "relu"}, {"sliding_window_pattern": 3}, {"head_dim": None},
               {"use_bidirectional_attention": False}],
    "gemma3_text": [{"layer_types": None}, {"layer_types": None, "sliding_window_pattern": 2},
                    {"layer_types": None, "_sliding_window_pattern": 2}, {"sliding_window": 3, "layer_types": None},
                    {"layer_types": None, "sliding_window_pattern": None},
                    {"layer_types": None, "sliding_window_pattern": 2, "_sliding_window_pattern": 3}],
    "mistral": [{"sliding_window": None}, {"sliding_window": 3}, {"layer_types": ["full_attention", "full_attention"]},
                {"attention_bias": True}, {"mlp_bias": True}, {"head_dim": None}],
    "llama": [{"sliding_window": 3}, {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 2},
              {"is_causal": True}, {"hidden_activation": "relu"}],
    "smollm3": [{"no_rope_layers": n, **more} for n in (None, [1, 1, 0, 1], [1, 0], [0, 0, 0, 0, 1], [], [2, 0, 1, 1])
                for more in ({}, {"layer_types": None})]
    + [{"no_rope_layers": None, "no_rope_layer_interval": 3, "layer_types": None}, {"use_sliding_window": False},
       {"use_sliding_window": True, "sliding_window": None}, {"layer_types": ["sliding_attention"] * 4},
       {"layer_types": ["full_attention"] * 3}, {"head_dim": 10}, {"head_dim": None}],
    "granite": [{"head_dim": None}, {"sliding_window": 3}, {"attention_multiplier": 1.0}, {"logits_scaling": 0},
                {"residual_multiplier": 0}, {"embedding_multiplier": -1.0}],
    "phi": [{"head_dim": 10}, {"sliding_window": 3}, {"qk_layernorm": True}],
    "phi3": [{"sliding_window": None}, {"head_dim": None}, {"attention_bias": True}],
    "stablelm": [{"head_dim": 10}, {"sliding_window": 3}, {"qk_layernorm": True}],
    "starcoder2": [{"sliding_window": None}, {"head_dim": None}, {"mlp_type": "gated"}, {"layer_norm_eps": 0.5}],
    "gemma": [{"hidden_activation": "relu"}, {"hidden_activation": None}, {"hidden_act": "gelu"}, {"head_dim": None},
              {"query_pre_attn_scalar": 3}, {"use_bidirectional_attention": True}, {"sliding_window": 3}],
    "gpt_oss": [{"layer_types": None}, {"sliding_window": None}, {"sliding_window": 3, "layer_types": None},
                {"layer_types": ["full_attention", "full_attention"], "sliding_window": None}, {"head_dim": None},
                {"attention_bias": False}, {"swiglu_limit": 1.0, "swiglu_alpha": 1.0}, {"swiglu_limit": 0.0},
                {"num_experts_per_tok": 5}, {"num_experts_per_tok": 6}, {"rope_parameters": None, "rope_scaling": None},
                {"rope_parameters": None, "rope_theta": 100.0}, {"experts_per_token": 4}, {"initial_context_length": 8},
                {"hidden_act": "relu"}, {"router_aux_loss_coef": 0.5, "output_router_logits": True}],
}
EXTRA["deepseek_v2"] = [
    {"topk_method": "greedy"}, {"topk_method": "noaux_tc"}, {"topk_method": "greedy", "n_group": None}, {"n_group": 4},
    {"topk_group": 1, "num_experts_per_tok": 3}, {"topk_group": 4}, {"scoring_func": "sigmoid"}, {"moe_layer_freq": 2},
    {"norm_topk_prob": True}, {"first_k_dense_replace": 2, "num_experts_per_tok": None}, {"q_lora_rank": 7},
    {"num_key_value_heads": 2}, {"num_key_value_heads": 1}, {"rope_interleave": False}]
EXTRA["deepseek_v3"] = [
    {"n_group": 3, "topk_group": 2}, {"n_group": 6, "topk_group": 2}, {"topk_group": 3}, {"num_experts_per_tok": 4},
    {"scoring_func": "softmax"}, {"topk_method": "greedy"}, {"num_key_value_heads": 2}, {"head_dim": 6}, {"head_dim": None},
    {"q_lora_rank": None}, {"rope_parameters": None}]
EXTRA["deepseek_v2"] += [{"rope_scaling": {"rope_type": t, "factor": f, "original_max_position_embeddings": 16, **more}}
                         for t in ("yarn", "linear", "dynamic") for f in (4.0, 0.5)
                         for more in ({"mscale_all_dim": 0.7}, {"mscale": 0.9, "mscale_all_dim": 0.7}, {"mscale_all_dim": 0})]
EXTRA["qwen3"] = EXTRA["qwen2"]


def rope_of_types(full=None, sliding=None):
    usual = {"full_attention": {"rope_type": "proportional", "rope_theta": 100.0, "partial_rotary_factor": 0.25},
             "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}
    return {"rope_parameters": {"full_attention": full or usual["full_attention"],
                                "sliding_attention": sliding or usual["sliding_attention"]}}


def head_sizes(*layers, **sizes):
    return {"per_layer_config": {str(layer): sizes for layer in layers}}


EXTRA["gemma4_text"] = [
    {"per_layer_config": None}, {"per_layer_config": {}}, {"per_layer_config": None, "global_head_dim": 16},
    {"per_layer_config": None, "global_head_dim": 8, "num_global_key_value_heads": 1}, {"global_head_dim": 6},
    {"num_global_key_value_heads": 1}, head_sizes(1, head_dim=16), head_sizes(1, 4, head_dim=16, num_key_value_heads=2),
    head_sizes(1, 4, 9, head_dim=16), head_sizes(1, head_dim=8), head_sizes(1, head_dim=8, num_key_value_heads=1),
    head_sizes(1, 4, head_dim=16, intermediate_size=12), head_sizes(1, 4, head_dim=16, hidden_activation="relu"),
    {"layer_types": None}, {"layer_types": ["full_attention"]}, {"layer_types": ["full_attention", "other"]},
    {"layer_types": ["sliding_attention"] * 2}, {"layer_types": ["sliding_attention"] * 5},
    {"layer_types": ["sliding_attention", "full_attention"] + ["sliding_attention"] * 3},
    *[{"num_kv_shared_layers": n} for n in (0, 1, 2, 3, 4, 5, 7)], {"num_kv_shared_layers": 3, "use_double_wide_mlp": False},
    {"attention_k_eq_v": False}, {"attention_k_eq_v": True}, {"use_double_wide_mlp": False},
    *[{"use_bidirectional_attention": b} for b in ("all", "vision", "other", True)], {"sliding_window": None},
    {"sliding_window": 1}, {"enable_moe_block": False}, {"enable_moe_block": True}, {"num_experts": None},
    {"top_k_experts": 5}, {"top_k_experts": 6}, {"final_logit_softcapping": -3.0}, {"final_logit_softcapping": 0.0},
    {"hidden_size_per_layer_input": 0}, {"hidden_size_per_layer_input": 8}, {"vocab_size_per_layer_input": 20},
    rope_of_types(full={"rope_type": "proportional", "rope_theta": 100.0}),
    rope_of_types(full={"rope_type": "proportional", "partial_rotary_factor": 0.5}),
    *[rope_of_types(full={"rope_type": "proportional", "rope_theta": 100.0, "partial_rotary_factor": p, "factor": 2.0})
      for p in (0.3, 0.75, 1.0)],
    rope_of_types(sliding={"rope_type": "proportional", "rope_theta": 60.0, "partial_rotary_factor": 0.5}),
    rope_of_types(sliding={"rope_type": "default", "rope_theta": 60.0, "partial_rotary_factor": 0.5}),
    *[rope_of_types(full={"rope_theta": 70.0, **kind}) for kind in (
        {"rope_type": "default"}, {"rope_type": "linear", "factor": 2.0}, {"rope_type": "dynamic", "factor": 2.0},
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}, {"rope_type": "nothing"},
        {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.5}, {})],
    rope_of_types(sliding={"rope_type": "linear", "rope_theta": 60.0, "factor": 2.0})]
EXTRA["olmo2"] = [{"sliding_window": 3}, {"head_dim": 4}, {"head_dim": 6}, {"head_dim": None}, {"attention_bias": True},
                  {"mlp_bias": True}, {"clip_qkv": 0.1}]
EXTRA["olmo3"] = [{"sliding_window": 3}, {"sliding_window": 3, "layer_types": None}, {"layer_types": ["full_attention"] * 4},
                  {"layer_types": ["full_attention"] * 3}, {"layer_types": ["sliding_attention"] * 4},
                  {"layer_types": ["full_attention", "other"] * 2}, {"sliding_window_pattern": 2, "layer_types": None},
                  {"rope_parameters": None, "rope_theta": 700.0}, {"rope_parameters": None, "rope_theta": 500000.0},
                  {"rope_parameters": None, "rope_theta": 700.0, "rope_scaling": {"rope_type": "linear", "factor": 2.0}},
                  {"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 3.0}}},
                  {"rope_parameters": {"sliding_attention": {"rope_type": "linear", "factor": 3.0}}}]
EXTRA["lfm2"] = [
    {"layer_types": None}, {"layer_types": None, "full_attn_idxs": [1, 3]}, {"layer_types": None, "full_attn_idxs": [0]},
    {"layer_types": None, "full_attn_idxs": [3, 1, 1, 9, -1]}, {"layer_types": None, "full_attn_idxs": []},
    {"layer_types": None, "full_attn_idxs": [1.0, "3"]}, {"full_attn_idxs": [0, 2]}, {"layer_types": ["conv"] * 4},
    {"layer_types": ["full_attention"] * 4}, {"layer_types": ["conv", "attention", "conv", "attention"]},
    {"layer_types": ["conv", "sliding_attention", "conv", "full_attention"]}, {"layer_types": ["conv", "other"] * 2},
    {"layer_types": ["conv", "full_attention"]}, {"layer_types": []}, {"block_ff_dim": 21}, {"block_ff_dim": None},
    {"block_ff_dim": 21, "intermediate_size": 30}, {"tie_embedding": False}, {"tie_embedding": None},
    {"tie_embedding": True, "tie_word_embeddings": False}, {"head_dim": 4}, {"head_dim": 8}, {"head_dim": None},
    {"conv_dim": 8}, {"hidden_act": "relu"}, {"rms_norm_eps": 0.5}, {"block_norm_eps": 0.5}, {"sliding_window": 3},
    {"block_auto_adjust_ff_dim": False, "intermediate_size": 20}, {"conv_L_cache": 0}, {"block_multiple_of": 0},
    {"block_ffn_dim_multiplier": 0.9, "block_multiple_of": 1, "intermediate_size": 33}, {"theta": 7.0},
    {"block_ffn_dim_multiplier": 1, "block_multiple_of": 20}, {"block_ffn_dim_multiplier": -1.0}]
EXTRA["lfm2_moe"] = [
    {"layer_types": None}, {"layer_types": None, "full_attn_idxs": [0, 2]}, {"num_experts_per_tok": 5},
    {"num_experts_per_tok": 6}, {"num_dense_layers": 0}, {"num_dense_layers": 5}, {"tie_embedding": False},
    {"block_auto_adjust_ff_dim": True}, {"block_ff_dim": 30}, {"use_expert_bias": False}, {"norm_topk_prob": False},
    {"routed_scaling_factor": 0.25}, {"head_dim": None}]
POSITIONS_COMPARED = [{"pos_att_type": p} for p in (
    "c2p|p2c", "P2C | C2P", "c2p", "", ["c2p"], ["p2c"], ["p2c", "c2p"], [], ["c2p", "p2c", "p2p"], ["C2P", "p2c"],
    ["c2p", "c2p"], [1])] + [
    {"relative_attention": False}, {"relative_attention": False, "pos_att_type": None}, {"legacy": False},
    {"position_biased_input": True}, {"embedding_size": 16}, {"embedding_size": 12}, {"embedding_size": None}]
EXTRA["deberta"] = POSITIONS_COMPARED + [
    {"max_relative_positions": -1}, {"max_relative_positions": 20}, {"talking_head": False}, {"talking_head": True},
    {"position_buckets": 8}, {"share_att_key": True}, {"norm_rel_ebd": "layer_norm"}, {"conv_kernel_size": 3}]
EXTRA["deberta-v2"] = POSITIONS_COMPARED + [
    {"position_buckets": b} for b in (-1, 0, 1, 2, 9, None)] + [
    {"max_relative_positions": m} for m in (0, 1, 3, 4, 5, 6, 8, 16, 512)] + [
    {"max_relative_positions": 8, "position_buckets": -1}, {"share_att_key": False}, {"talking_head": True},
    {"conv_groups": 1}, {"conv_groups": 2}, {"conv_groups": 3}] + [
    {"norm_rel_ebd": n} for n in ("none", "x|Layer_Norm ", "layer norm", ["layer_norm"])] + [
    {"conv_kernel_size": k} for k in (0, -1, 2, 5)] + [{"conv_act": a} for a in ("tanh", "relu", "nothing")] + [
    {"attention_head_size": h} for h in (8, 16, None)]
SHORT, LONG = [1.0, 1.3, 2.1], [1.5, 3.0, 4.0]
EXTRA["phi3"] += [{"rope_parameters": None, "rope_scaling": {"type": t, "short_factor": SHORT, "long_factor": LONG, **more},
                   **outside}
                  for t in ("su", "yarn", "longrope") for outside in ({}, {"partial_rotary_factor": 0.75})
                  for more in ({}, {"attention_factor": 1.4}, {"factor": 2.0})]
EXTRA["phi3"] += [{"rope_scaling": {"type": "longrope", "short_factor": s, "long_factor": LONG}}
                  for s in (None, [], [1.0, 2.0], [1, 2, 3], ["x", 1, 2], [0.0, 1.0, 2.0])]
EXTRA["phi3"] += [{"original_max_position_embeddings": o} for o in (8, 16, 32, 128, 256)]
EXTRA["llama"] += [{"rope_scaling": {"rope_type": "longrope", "short_factor": s, "long_factor": [2.0, 3.0],
                                     "original_max_position_embeddings": o}}
                   for s in ([1.5, 2.5], [1.0], None) for o in (8, 64, 128)]
UNSUPPORTED = {  # members whose values the program refuses by name, though transformers computes
    "is_causal:False", "use_bidirectional_attention:True", "rope_scaling:dynamic", "hidden_act:laplace", "activation:laplace",
    "activation_function:laplace", "hidden_activation:laplace", "dense_act_fn:laplace", "feed_forward_proj:laplace",
    "apply_residual_connection_post_layernorm:True", "rotary_value:True", "embedding_size:None", "codegen n_head:1",
    "m2m-100 max_position_embeddings:1", "qwen2-moe use_sliding_window:True", "ministral3 rope_parameters:None",
    "smollm3 use_sliding_window:False", "smollm3 use_sliding_window:None", "llama rope_scaling:longrope",
    "gemma4 use_bidirectional_attention:all", "gemma4-moe use_bidirectional_attention:all",
    "gemma4 final_logit_softcapping:0.0", "gemma4-moe final_logit_softcapping:0.0", "granite embedding_multiplier:-1.0", "granite residual_multiplier:0",
    "deberta-v2 max_relative_positions:5"}
STOPS = {  # members at which transformers stops, though what they mean is plain, or nothing that is computed depends on them
    "biogpt layer_norm_eps", "bloom slow_but_exact", "codegen n_ctx", "codegen n_positions", "gptj n_positions",
    "falcon num_kv_heads", "falcon-new multi_query", "falcon-alibi num_attention_heads", "falcon-alibi num_kv_heads",
    "falcon-alibi rope_parameters", "falcon-alibi rope_scaling", "glm4-moe n_group", "glm4-moe num_mtp_layers",
    "mbart scale_embedding", "ministral head_dim", "ministral3 rope_parameters", "ministral3 rope_scaling",
    "mixtral rope_scaling", "mixtral router_jitter_noise", "modernbert classifier_pooling", "modernbert cls_token_id",
    "modernbert sep_token_id", "modernbert deterministic_flash_attn", "modernbert sparse_pred_ignore_index",
    "modernbert sparse_prediction", "modernbert rope_parameters", "phi qk_layernorm", "phi3 rope_scaling",
    "phi3-longrope rope_scaling", "qwen2-moe sliding_window", "qwen3-moe num_experts", "stablelm qk_layernorm",
    "stablelm-parallel qk_layernorm", "stablelm-parallel head_dim"}

TOO_MANY_EXPERTS = [{"topk_group": 1, "num_experts_per_tok": 3}, {"num_experts_per_tok": 4}]
FLAGS = ("tie_word_embeddings", "is_gated_act", "scale_decoder_outputs", "alibi", "bias", "new_decoder_architecture",
         "multi_query", "parallel_attn", "share_att_key", "talking_head")


def alternatives(key, value):
    """Other values of a member, among them wrong ones."""
    if key in ("hidden_act", "activation", "activation_function", "hidden_activation"):
        return [a for a in ACTIVATIONS if a != value] + [None]
    if isinstance(value, bool):
        return [not value, None, "x"]
    if isinstance(value, int):
        return [value + 1, 2 * value, 1, None, "x"]
    if isinstance(value, float):
        return [2.5 * value + 0.01, None, "x"]
    return [None, 3]


def changes_of(model, config, config_class):
    """(set, remove) for each change of one member, and for those listed above."""
    fields = {f.name: f.default for f in dataclasses.fields(config_class)}
    family = config["model_type"]
    for key in sorted(set(fields) | set(config)):
        if key in IGNORED:
            continue
        if key in config:
            yield {}, [key]
        value = config.get(key, fields.get(key))
        for other in alternatives(key, value):
            yield {key: other}, []
    for alias, key in getattr(config_class, "attribute_map", {}).items():
        if key in config:
            yield {alias: config[key]}, []
            yield {alias: config[key]}, [key]
            yield {alias: 2 * config[key]}, []
    if "rope_parameters" in fields:
        for rope in ROPES:
            yield rope, []
        yield {}, ["rope_parameters"]
    if "layer_types" in config:
        yield {}, ["layer_types"]
    for change in EXTRA.get(family, []):
        yield change, []
        missing = [key for key, value in change.items() if value is None and key in config]
        if missing:
            yield {key: value for key, value in change.items() if value is not None}, missing
    yield {"a_member_that_nobody_knows": 3}, []


def ties(model, tensors):
    """Changes of tied tensors: stored under each of the names, under several, with other values, as aliases, and with
    the names that wrappers give."""
    tied = model.all_tied_weights_keys
    for flag in (None, True, False):
        sets = {} if flag is None else {"tie_word_embeddings": flag}
        yield sets, [], []
        for source in sorted(set(tied.values())):
            group = [source] + sorted(t for t, s in tied.items() if s == source)
            stored = next((n for n in group if n in tensors), None)
            if stored is None:
                continue
            others = [n for n in group if n != stored and n in tensors]
            plain = [["remove", n, ""] for n in others]
            for name in group:
                yield sets, [], plain + ([["rename", stored, name]] if name != stored else [])
            whole = plain + [["copy", stored, n] for n in group if n != stored]
            yield sets, [], whole
            for name in group:
                if name != stored:
                    yield sets, [], whole + [["reverse", name, ""]]
                    yield sets, [], plain + [["copy", stored, name], ["reverse", name, ""]]
                    yield sets, [], plain + [["rename", stored, name], ["alias", stored, name]]
            yield sets, [], whole + [["reverse", stored, ""]]
    if tied:
        yield {}, [], [["remove", n, ""] for n in sorted(set(tied) | set(tied.values())) if n in tensors]
    for prefix in ("module.", "_orig_mod.", "module._orig_mod."):
        yield {}, [], [["prefix", prefix, ""]]


def changed_config(config, case):
    changed = {key: value for key, value in config.items() if key not in case["remove"]}
    return changed | case["set"]


def changed_tensors(tensors, operations):
    """The tensors, and the metadata that names aliases."""
    tensors, metadata = dict(tensors), {"format": "pt"}
    for operation, name, other in operations:
        if operation == "remove":
            del tensors[name]
        elif operation == "rename":
            tensors[other] = tensors.pop(name)
        elif operation == "copy":
            tensors[other] = tensors[name].clone()
        elif operation == "reverse":
            tensors[name] = tensors[name].flip(0) * 0.9
        elif operation == "alias":
            metadata[name] = other
        elif operation == "prefix":
            tensors = {name + key: value for key, value in tensors.items()}
    return {key: value.contiguous() for key, value in tensors.items()}, metadata


def write_folder(folder, config, tensors, case):
    (Path(folder) / "config.json").write_text(json.dumps(changed_config(config, case)))
    kept, metadata = changed_tensors(tensors, case["tensors"])
    save_file(kept, Path(folder) / "model.safetensors", metadata=metadata)


def reference(spec, folder, case):
    """("answer", tensors), or ("refused" or "missing", what it says)."""
    if any(operation[0] in ("prefix",) for operation in case["tensors"]):
        kept = load_file(Path(folder) / "model.safetensors")
        prefix = case["tensors"][0][1]
        save_file({key.removeprefix(prefix): value for key, value in kept.items()}, Path(folder) / "model.safetensors",
                  metadata={"format": "pt"})
    try:
        model, info = spec.model_class.from_pretrained(folder, dtype=torch.float64, output_loading_info=True, **spec.eager)
        if info["missing_keys"]:
            return "missing", ", ".join(sorted(info["missing_keys"]))
        ids = {"input_ids": torch.tensor([IDS])}
        if model.config.is_encoder_decoder:
            ids["decoder_input_ids"] = torch.tensor([DECODER_IDS])
        with torch.no_grad(), KeepDouble():
            output = by_block(model, model.eval()(**ids, output_attentions=True, output_hidden_states=True,
                                                  use_cache=False))
    except Exception as error:
        return "refused", f"{type(error).__name__}: {error}"[:80].replace("\n", " ")
    found = {name: rows[..., -1:, :].float().contiguous() for name, rows in named(output).items() if "hidden" not in name}
    if not all(torch.isfinite(rows).all() for rows in found.values()):
        return "refused", "the answer is not finite"
    return "answer", found


def base(name):
    folder = OUT / name
    tensors = {}
    for path in sorted(folder.glob("model*.safetensors")):
        tensors |= {key: value.float() for key, value in load_file(path).items()}
    return json.loads((folder / "config.json").read_text()), tensors


def neutral(key):
    """True for a member that changes nothing that is computed from a text, but has a type."""
    return any(part in key for part in ("drop", "initializer", "init_std", "summary_", "layerdrop")) or key in (
        "is_decoder", "add_cross_attention", "reorder_and_upcast_attn", "sinusoidal_pos_embds", "pad_token_id",
        "output_router_logits", "router_aux_loss_coef", "num_nextn_predict_layers", "num_mtp_layers", "qk_head_dim",
        "pooler_hidden_act", "pooler_hidden_size")


def why_other(case, result):
    """Why the program deliberately refuses, by name, what transformers computes, or the other way round."""
    if result == "missing" and any(operation[0] == "alias" for operation in case["tensors"]):
        return "the file says that both names are the same tensor"
    if result == "refused" and "pad_token_id" in case["remove"]:
        return "nothing that is computed depends on it"
    missing = {f"{case.get('model')} {key}:None" for key in case["remove"]}
    if result == "answer" and UNSUPPORTED & missing:
        return "not supported"
    latent = case.get("model", "").startswith("deepseek")
    if result == "answer" and latent and "partial_rotary_factor" in json.dumps(case["set"]):
        return "the only frequency that is left is taken for all pairs"
    if result == "answer" and case["set"] in TOO_MANY_EXPERTS:
        return "more experts than there are in the chosen groups"
    if result == "refused" and STOPS & {f"{case.get('model')} {key}" for key in [*case["set"], *case["remove"]]}:
        return "the reference stops at it"
    for key, value in case["set"].items():
        kind = value.get("rope_type", "") if isinstance(value, dict) else value
        if result == "answer" and UNSUPPORTED & {f"{key}:{kind}", f"{case.get('model')} {key}:{kind}"}:
            return "not supported"
        if result == "answer" and key in FLAGS and not isinstance(value, bool):
            return "not true or false"
        if result != "answer" and neutral(key):
            return "nothing that is computed depends on it"
        if result == "refused" and (key.endswith("softcapping") and value == 3 or key == "head_dim" and value is None):
            return "its meaning is plain"
        if result == "refused" and key == "decoder_vocab_size":
            return "the stacks share the other vocabulary"
    return ""


def make():
    cases, answers, numbers, counts = [], {}, {}, {}
    for name in MODELS:
        spec, (config, tensors) = CHECKPOINTS[name], base(name)
        changes = [dict(set=s, remove=r, tensors=[]) for s, r in changes_of(name, config, spec.config_class)]
        model = spec.model_class.from_pretrained(OUT / name)
        changes += [dict(set=s, remove=r, tensors=t) for s, r, t in ties(model, tensors)]
        for case in changes:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    write_folder(folder, config, tensors, case)
                except KeyError:
                    continue
                result, found = reference(spec, folder, case)
            case = {"model": name, **case, "result": result}
            if result == "answer":  # equal answers stand once
                key = hashlib.sha256(b"".join(found[k].numpy().tobytes() for k in sorted(found))).hexdigest()
                case["answer"] = numbers.setdefault(f"{name}{key}", len(numbers))
                answers |= {f"{case['answer']}.{k}": rows for k, rows in found.items()}
            else:
                case["says"] = found
            if why_other(case, result):
                case["why"] = why_other(case, result)
            counts[result] = counts.get(result, 0) + 1
            cases.append({key: value for key, value in case.items() if value not in ({}, [])})
        print(name, len(cases), flush=True)
    (OUT / "varied.json").write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
    save(answers, OUT / "varied.safetensors")
    print(counts)


def compare_random(count, program, seed):
    source, wrong = random.Random(seed), 0
    counts = {}
    for i in range(count):
        name = source.choice(MODELS)
        spec, (config, tensors) = CHECKPOINTS[name], base(name)
        changes = [dict(set=s, remove=r, tensors=[]) for s, r in changes_of(name, config, spec.config_class)]
        case = dict(set={}, remove=[], tensors=[])
        for change in source.sample(changes, source.choice([1, 2, 2, 3])):
            case["set"] |= change["set"]
            case["remove"] += change["remove"]
        if source.random() < 0.4:
            model = spec.model_class.from_pretrained(OUT / name)
            chosen = source.choice(list(ties(model, tensors)))
            case["set"] |= chosen[0]
            case["tensors"] = chosen[2]
        with tempfile.TemporaryDirectory() as folder:
            write_folder(folder, config, tensors, case)
            command = [program, "compute", folder, "--ids", ",".join(map(str, IDS)), "-o", f"{folder}/o.npz"]
            if spec.model_class.__name__ in ("T5ForConditionalGeneration", "MarianMTModel", "BartForConditionalGeneration"):
                command += ["--decoder-ids", ",".join(map(str, DECODER_IDS))]
            run = subprocess.run(command, capture_output=True, text=True)
            ours = dict(numpy.load(f"{folder}/o.npz")) if run.returncode == 0 else None
            result, found = reference(spec, folder, case)
        verdict = f"{result}/{'answer' if ours is not None else 'refused'}"
        if result == "answer" and ours is not None:
            for key, rows in found.items():
                wanted, mine = rows.numpy(), ours.get(key)
                error = numpy.inf if mine is None else numpy.abs(mine[..., -1:, :] - wanted).max() / numpy.abs(wanted).max()
                if not error < 2e-4:
                    verdict = "DIFFERENT"
                    print("DIFFERENT", name, key, error, case, run.stderr, flush=True)
                    break
        elif (ours is None) != (result != "answer") and result != "missing" and not why_other(case, result):
            print(verdict, name, case, found if result != "answer" else "", run.stderr, flush=True)
        if run.returncode not in (0, 2, 5, 6):
            print("EXIT", run.returncode, case, flush=True)
        counts[verdict] = counts.get(verdict, 0) + 1
        wrong += verdict == "DIFFERENT"
    print(counts)
    return wrong


if __name__ == "__main__":
    torch.set_num_threads(1)
    transformers.logging.set_verbosity(50)
    transformers.logging.disable_progress_bar()
    if sys.argv[1:2] == ["--random"]:
        sys.exit(compare_random(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 0) > 0)
    make()
